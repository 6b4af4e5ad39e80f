"""The plugin of Alembic, which it loads by itself: migrations with columns of IDs import what they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from alembic.runtime.plugins import Plugin


def setup(_plugin: Plugin) -> None:
    """Let the operations that have types of columns call ``render_item``."""
    # Alembic calls this while it is imported, so its package does not have all names yet.
    from alembic.autogenerate.render import renderers
    from alembic.operations import ops

    for operation in (ops.CreateTableOp, ops.AddColumnOp, ops.AlterColumnOp):
        render: Any = renderers.dispatch(operation)
        renderers.dispatch_for(operation, replace=True)(_with_ids(render))


def _with_ids(render: Callable[..., Any]) -> Callable[..., Any]:
    def with_ids(context: Any, operation: Any) -> Any:
        from sortid.sqlalchemy import render_item

        own = context.opts.get("render_item")

        def render_both(kind: str, item: Any, context: Any) -> Any:
            rendered = own(kind, item, context) if own else False
            return render_item(kind, item, context) if rendered is False else rendered

        context.opts["render_item"] = render_both
        try:
            return render(context, operation)
        finally:
            context.opts["render_item"] = own

    return with_ids
