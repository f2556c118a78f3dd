"""Pseudo-classes and pseudo-elements of a user's stylesheet. Others are refused: they could leave the document."""

LEGACY_PSEUDO_ELEMENTS = frozenset({"before", "after", "first-line", "first-letter"})
"""Written with one colon, too."""

PSEUDO_ELEMENTS = LEGACY_PSEUDO_ELEMENTS | {
    *("cue", "details-content", "file-selector-button", "grammar-error", "marker", "placeholder", "selection"),
    *("spelling-error", "target-text", "-moz-color-swatch", "-moz-focus-inner", "-moz-focus-outer", "-moz-list-bullet"),
    *("-moz-list-number", "-moz-meter-bar", "-moz-placeholder", "-moz-progress-bar", "-moz-range-progress"),
    *("-moz-range-thumb", "-moz-range-track", "-moz-selection", "-ms-browse", "-ms-check", "-ms-clear", "-ms-expand"),
    *("-ms-fill", "-ms-fill-lower", "-ms-fill-upper", "-ms-input-placeholder", "-ms-reveal", "-ms-thumb", "-ms-track"),
    *("-webkit-calendar-picker-indicator", "-webkit-color-swatch", "-webkit-color-swatch-wrapper"),
    *("-webkit-date-and-time-value", "-webkit-datetime-edit", "-webkit-details-marker", "-webkit-file-upload-button"),
    *("-webkit-inner-spin-button", "-webkit-input-placeholder", "-webkit-meter-bar", "-webkit-meter-optimum-value"),
    *("-webkit-meter-suboptimum-value", "-webkit-outer-spin-button", "-webkit-progress-bar", "-webkit-progress-value"),
    *("-webkit-resizer", "-webkit-scrollbar", "-webkit-scrollbar-button", "-webkit-scrollbar-corner"),
    *("-webkit-scrollbar-thumb", "-webkit-scrollbar-track", "-webkit-scrollbar-track-piece"),
    *("-webkit-search-cancel-button", "-webkit-search-decoration", "-webkit-slider-runnable-track"),
    *("-webkit-slider-thumb",),
}
"""Boxes of an element. Not `::backdrop`, which covers the window, and `::slotted()`, which is of another tree."""

STATES = frozenset(
    {
        *("active", "autofill", "checked", "default", "defined", "disabled", "enabled", "focus", "focus-visible"),
        *("focus-within", "fullscreen", "future", "hover", "in-range", "indeterminate", "invalid", "modal", "open"),
        *("optional", "out-of-range", "past", "paused", "placeholder-shown", "playing", "popover-open", "read-only"),
        *("read-write", "required", "target", "user-invalid", "user-valid", "valid", "visited"),
    }
)
"""Pseudo-classes of elements that a reader uses: never true for what a document without scripts shows at first."""

OTHER_PSEUDO_CLASSES = frozenset(
    {
        *("empty", "local-link", "target-within", "horizontal", "vertical", "-moz-focusring", "-moz-placeholder"),
        *("-moz-ui-invalid", "-moz-ui-valid", "-ms-input-placeholder", "-webkit-autofill"),
    }
)
"""Conditions on the element that `matcher` does not know."""
