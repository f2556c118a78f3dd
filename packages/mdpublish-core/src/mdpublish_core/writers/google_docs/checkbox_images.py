"""The boxes of tasks, as on Docs' clipboard: 36 px images at half size, visible on white and dark backgrounds."""

from mdpublish_core.resources.urls import TrustedUrl

BOX_SIZE = 18
"""In px."""

UNCHECKED = TrustedUrl(
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAACQAAAAkAgMAAACcbnALAAAADFBMVEVra2tra2tra2tra2uUwE1aAAAABHRSTlMAVar/oA4xLwAA"
    "ADRJREFUeNpjYCAWsK0CgQlAlv5/EPgBZNWDWX+BrH1g2X0gFlj1MGDBfYTwJcLniNAgDgAA0EhITyp1hjoAAAAASUVORK5CYII="
)

CHECKED = TrustedUrl(
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAACQAAAAkAgMAAACcbnALAAAADFBMVEVra2tra2tra2tra2uUwE1aAAAABHRSTlMAVar/oA4xLwAA"
    "AHNJREFUeNpjYCAWsK0CgQlAlv5/EPgBZNWDWX+BrH1g2X0gFlg1PhbjBBiL/QOMxQ9n6V+AsfY7QFlM/yB6uRvYf0BY/A/kP0DF"
    "ftQfgLCY/v13gNqx/y/MNv0fMBb3AxiLqQG/+6AsuI8QvkT4HBEaxAEACvlaLVtwlTwAAAAASUVORK5CYII="
)
