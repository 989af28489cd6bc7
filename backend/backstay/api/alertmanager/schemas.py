"""The body of Alertmanager's webhook (version 4), and the reply.

Another project writes the body and adds fields with new versions. So unknown fields are ignored here, and
only here, and no text is refused for its characters.
"""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from backstay.core.alerting.external_alert import ExternalAlert, external_alert

MAX_ALERTS = 1_000
"""Alerts of one request; `max_alerts` of Alertmanager limits them at the sender."""
_Texts = dict[str, str]


class _Foreign(BaseModel):
    model_config = ConfigDict(extra="ignore")


class AlertmanagerAlert(_Foreign):
    """One alert."""

    status: str = "firing"
    labels: _Texts = Field(default_factory=dict)
    annotations: _Texts = Field(default_factory=dict)
    startsAt: datetime | None = None  # noqa: N815 - Alertmanager's name
    generatorURL: str = ""  # noqa: N815
    fingerprint: str = ""

    def value(self, now: datetime) -> ExternalAlert:
        """The alert without what only Alertmanager needs."""
        return external_alert(
            status=self.status,
            labels=self.labels,
            annotations=self.annotations,
            starts_at=self.startsAt if self.startsAt and self.startsAt.tzinfo else None,
            fingerprint=self.fingerprint,
            link=self.generatorURL,
            now=now,
        )


class AlertmanagerWebhook(_Foreign):
    """A notification of a group of alerts."""

    version: str = Field(description='"4"')
    truncatedAlerts: int = Field(0, description="Alerts that Alertmanager left out")  # noqa: N815
    alerts: list[AlertmanagerAlert] = Field(max_length=MAX_ALERTS)


class ReceivedOut(BaseModel):
    """What became of the alerts."""

    opened: int
    updated: int
    resolved: int
    ignored: int = Field(
        description="Sent by Backstay itself, above the limit, resolved and unknown, or while the rule is off"
    )
