"""Syntax highlighting with Pygments, restricted to safe lexers.

Nearly every lexer takes quadratic time on some input, and can be stopped only between two tokens. `lexers` has those
that no hostile input stalled in between; other languages are not highlighted, with a notice. `highlighter` bounds
bytes, runs of white space, and CPU time by byte, the only thing in a conversion that depends on the machine: a full
garbage collection meanwhile extends that time once. Recent results are cached under a lock.
"""
