"""The boxes of tasks as pictures: so a list of tasks in Docs' markup shows them where it is not understood.

Squares of 36 pixels, shown at half that size, in a grey that is seen on a white page and in a dark cell.
"""

from mdpublish_core.resources.urls import TrustedUrl

BOX_SIZE = 18
"""Pixels of a box's width and height, about as high as a line's letters."""

UNCHECKED = TrustedUrl(
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAACQAAAAkAgMAAACcbnALAAAADFBMVEVra2tra2tra2tra2uUwE1aAAAABHRSTlMAVar/oA4xLwAA"
    "ADRJREFUeNpjYCAWsK0CgQlAlv5/EPgBZNWDWX+BrH1g2X0gFlj1MGDBfYTwJcLniNAgDgAA0EhITyp1hjoAAAAASUVORK5CYII="
)
"""A box without a tick."""

CHECKED = TrustedUrl(
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAACQAAAAkAgMAAACcbnALAAAADFBMVEVra2tra2tra2tra2uUwE1aAAAABHRSTlMAVar/oA4xLwAA"
    "AHNJREFUeNpjYCAWsK0CgQlAlv5/EPgBZNWDWX+BrH1g2X0gFlg1PhbjBBiL/QOMxQ9n6V+AsfY7QFlM/yB6uRvYf0BY/A/kP0DF"
    "ftQfgLCY/v13gNqx/y/MNv0fMBb3AxiLqQG/+6AsuI8QvkT4HBEaxAEACvlaLVtwlTwAAAAASUVORK5CYII="
)
"""A box with a tick."""
