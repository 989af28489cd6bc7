"""gated.conf of GateD 3.x: tokenizer, parser, typed statements and renderer. Depends on nothing.

Statements have classes in this order: options, interfaces, definitions, protocols, static, control;
directives and `traceoptions` may occur anywhere. Statements that affect routing are typed values; the others
are kept as tokens. Parsing rendered text returns the same values.
"""

from backstay_gatedconf.document import Document, Statement, parse, render
from backstay_gatedconf.tokens import ConfError

__all__ = ["ConfError", "Document", "Statement", "parse", "render"]
