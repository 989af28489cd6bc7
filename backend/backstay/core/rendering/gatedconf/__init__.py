"""gated.conf of GateD 3.x as values: read, checked for order, and written again.

Statements come in classes that must not decrease: options, interfaces, definitions, protocols, static,
control; directives and `traceoptions` stand anywhere. The statements that routing is planned with are typed
values; the others are kept as their words. What is written reads as the same value.
"""

from backstay.core.rendering.gatedconf.document import Document, Statement, read, write
from backstay.core.rendering.gatedconf.tokens import ConfError

__all__ = ["ConfError", "Document", "Statement", "read", "write"]
