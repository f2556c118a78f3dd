"""The server behind `mdpublish preview`: a file as it would be published, shown anew whenever it is saved.

    readings   files, read again once they changed
    proof      the document in the form that a reader of the page chose
    pictures   the pictures in the document's folder
    server     HTTP: who may ask, what is answered, the events that tell of a change
    static     the page in which all of it is shown

It speaks with this machine alone. The text is nobody's to trust: what is made of it stands in a frame that runs no script.
"""
