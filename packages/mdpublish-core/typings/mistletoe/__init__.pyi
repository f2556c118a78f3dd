from mistletoe.block_token import Document as Document
