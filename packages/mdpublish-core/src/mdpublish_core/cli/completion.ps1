Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = $commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } }
    try {
        $env:%(complete_var)s = "powershell_complete"
        $env:COMP_WORDS = $words -join "`n"
        $env:COMP_WORD = $wordToComplete
        & %(prog_name)s | Where-Object { $_ } | ForEach-Object {
            $value, $help = $_ -split "`t", 2
            [System.Management.Automation.CompletionResult]::new($value, $value, "ParameterValue", $help)
        }
    } finally {
        Remove-Item -ErrorAction Ignore Env:%(complete_var)s, Env:COMP_WORDS, Env:COMP_WORD
    }
}
