"""Third-party plugins that draw what a reader of an image needs: data labels and annotations.

Other plugins serve interaction.
"""
