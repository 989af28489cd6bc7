"""Django's settings, read from the environment once.

Every name that an operator sets begins with `BACKSTAY_`. Nothing here opens a connection.
"""

import ipaddress
import os
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from backstay.core import retention
from backstay.core.rollups import levels
from backstay.live.redis_sentinel import broker_options, broker_url, with_password
from config.database_options import database_options, standby_options

BASE_DIR = Path(__file__).resolve().parent.parent


def _flag(name: str, default: bool = False) -> bool:
    return os.environ.get(name, str(default)).lower() in {"1", "true", "yes", "on"}


def _list(name: str, default: str = "") -> list[str]:
    return [part for part in os.environ.get(name, default).split(",") if part]


DEBUG = _flag("BACKSTAY_DEBUG")
# The first key signs and encrypts; the others are accepted, so that keys can be rotated.
SECRET_KEYS = _list("BACKSTAY_SECRET_KEYS", "development-only-key-not-for-any-deployment" if DEBUG else "")
SECRET_KEY = SECRET_KEYS[0] if SECRET_KEYS else ""
SECRET_KEY_FALLBACKS = SECRET_KEYS[1:]
ALLOWED_HOSTS = _list("BACKSTAY_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = _list("BACKSTAY_TRUSTED_ORIGINS")
# Address of the pages, such as https://backstay.example.org: messages link to it. Empty: they have no links.
PUBLIC_URL = os.environ.get("BACKSTAY_PUBLIC_URL", "").rstrip("/")
# Networks of reverse proxies whose X-Forwarded-For is believed.
TRUSTED_PROXIES = [ipaddress.ip_network(text.strip()) for text in _list("BACKSTAY_TRUSTED_PROXIES")]
# Addresses of all ingest servers, which the health check calls.
INGEST_URLS = _list("BACKSTAY_INGEST_URLS", "http://localhost:8000")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.postgres",
    "csp",
    "ninja",
    "backstay.accounts",
    "backstay.live",
    "backstay.inventory",
    "backstay.telemetry",
    "backstay.policy",
    "backstay.rollout",
    "backstay.throughput",
    "backstay.alerts",
    "backstay.retention",
    "backstay.api",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.security_headers.security_headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "backstay.api.http.compression.compressed_json",
    "csp.middleware.CSPMiddleware",
    "django.middleware.common.CommonMiddleware",  # Checks the Host header, against DNS rebinding.
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "backstay.api.http.parser.checked_address",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

DB_PER_THREAD = _flag("BACKSTAY_DB_PER_THREAD")
# PgBouncer in transaction mode is between this process and PostgreSQL.
DB_POOLED = _flag("BACKSTAY_DB_POOLED")
# Seconds of one statement; 0: no limit. asgi.py and ingest.py set it: migrations and rounds may take longer.
DB_STATEMENT_S = int(os.environ.get("BACKSTAY_DB_STATEMENT_S", "0"))
# A path is the folder of a unix socket; several hosts are tried in turn until one accepts writes.
_db_host = os.environ.get("BACKSTAY_DB_HOST", "localhost")
DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        "ENGINE": "config.postgresql",
        "NAME": os.environ.get("BACKSTAY_DB_NAME", "backstay"),
        "USER": os.environ.get("BACKSTAY_DB_USER", "backstay"),
        "PASSWORD": os.environ.get("BACKSTAY_DB_PASSWORD", ""),
        "HOST": _db_host,
        "PORT": os.environ.get("BACKSTAY_DB_PORT", "5432"),
        # The ingest's threads live long and each keeps its connection; on the web port each request runs in a
        # thread of its own and would connect anew, hence a pool. ingest.py says which.
        "CONN_MAX_AGE": None if DB_PER_THREAD else 0,
        # Such a cursor outlives its transaction, but not its session of PostgreSQL behind PgBouncer.
        "DISABLE_SERVER_SIDE_CURSORS": DB_POOLED,
        "OPTIONS": database_options(
            _db_host, is_pooled=DB_POOLED, is_per_thread=DB_PER_THREAD, statement_s=DB_STATEMENT_S
        ),
    }
}
# A standby that answers reads (inventory.standby_reads); empty: none. Its port and database are those of the
# primary unless set, for example because PgBouncer is in front of one of them only.
_read_db_host = os.environ.get("BACKSTAY_READ_DB_HOST", "")
READ_DB_POOLED = _flag("BACKSTAY_READ_DB_POOLED", DB_POOLED)
# Seconds within which it must have replayed what the primary had written when a read began.
READ_DB_LAG_S = float(os.environ.get("BACKSTAY_READ_DB_LAG_S", "0.3"))
if _read_db_host:
    DATABASES["standby"] = DATABASES["default"] | {
        "NAME": os.environ.get("BACKSTAY_READ_DB_NAME") or DATABASES["default"]["NAME"],
        "HOST": _read_db_host,
        "PORT": os.environ.get("BACKSTAY_READ_DB_PORT") or DATABASES["default"]["PORT"],
        "CONN_MAX_AGE": 0,
        "DISABLE_SERVER_SIDE_CURSORS": READ_DB_POOLED,
        "OPTIONS": standby_options(_read_db_host, is_pooled=READ_DB_POOLED, statement_s=DB_STATEMENT_S),
    }
# A folder on the database's disk, where this machine has it: its free space is asked for the forecast.
DB_DISK = os.environ.get("BACKSTAY_DB_DISK", "")
# Folders in which a site file may name files and programs; added to those of backstay_wire.allowed_paths.
SITE_PATHS = _list("BACKSTAY_SITE_PATHS")
# Whether incidents that come back often stay open until they were quiet (core.alerting.flapping).
FLAP_HOLD = os.environ.get("BACKSTAY_FLAP_HOLD", "1") != "0"
# Days of samples that are kept at full resolution.
HOT_DAYS = int(os.environ.get("BACKSTAY_HOT_DAYS", "7"))
# Where closed days of samples are archived: a folder or s3://bucket/prefix (telemetry.archive.store).
ARCHIVE = os.environ.get("BACKSTAY_ARCHIVE", "")
# Days that the archive keeps; 0: for ever.
ARCHIVE_DAYS = int(os.environ.get("BACKSTAY_ARCHIVE_DAYS", "0"))
# A folder of web and worker for exports of history; empty: none can be made. Limits of one, and of a user's.
EXPORTS = os.environ.get("BACKSTAY_EXPORTS", "")
EXPORT_ROWS = int(os.environ.get("BACKSTAY_EXPORT_ROWS", "50000000"))
EXPORT_BYTES = int(os.environ.get("BACKSTAY_EXPORT_BYTES", str(4 * 2**30)))
EXPORT_USER_BYTES = int(os.environ.get("BACKSTAY_EXPORT_USER_BYTES", str(16 * 2**30)))
# Level of core.rollups.levels -> days that its bins are kept.
try:
    ROLLUP_DAYS = levels.parse_days(_list("BACKSTAY_ROLLUP_DAYS"), HOT_DAYS)
except ValueError as problem:
    raise ImproperlyConfigured(f"BACKSTAY_ROLLUP_DAYS: expected {problem}") from None
# Rule of core.retention -> days, where they differ from the rule's own.
try:
    RETENTION_DAYS = retention.parse(_list("BACKSTAY_RETENTION"))
except ValueError as problem:
    raise ImproperlyConfigured(f"BACKSTAY_RETENTION: expected {problem}") from None
REDIS_URL = with_password(
    os.environ.get("BACKSTAY_REDIS_URL", "redis://localhost:6379/0"),
    os.environ.get("BACKSTAY_REDIS_PASSWORD", ""),
)

# Where notifications may go. Loopback, link-local and multicast addresses are refused, private ones if the
# flag is set, except for these networks; database, Redis, ingest, web and these HOST:PORT always are.
try:
    NOTIFY_ALLOWED = [ipaddress.ip_network(text.strip()) for text in _list("BACKSTAY_NOTIFY_ALLOWED")]
    NOTIFY_REFUSED = [
        (host.strip("[] "), int(port))
        for host, _, port in (text.rpartition(":") for text in _list("BACKSTAY_NOTIFY_REFUSED"))
    ]
except ValueError as problem:
    raise ImproperlyConfigured(f"BACKSTAY_NOTIFY_ALLOWED, BACKSTAY_NOTIFY_REFUSED: {problem}") from None
NOTIFY_REFUSE_PRIVATE = _flag("BACKSTAY_NOTIFY_REFUSE_PRIVATE")

# Live streams: how often each checks its user's permission, and how many one user may have at one process.
LIVE_RECHECK_S = float(os.environ.get("BACKSTAY_LIVE_RECHECK_S", "60"))
LIVE_STREAMS_PER_USER = int(os.environ.get("BACKSTAY_LIVE_STREAMS_PER_USER", "20"))

CELERY_BROKER_URL = broker_url(REDIS_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = broker_options(REDIS_URL)
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True

# The largest body is a site file of 16,000,000 characters in JSON; web_bodies.py limits the others to less,
# and the agents' batches are bounded by their own view.
DATA_UPLOAD_MAX_MEMORY_SIZE = 24 * 1024 * 1024
# No body is written to disk; web_bodies.py bounds their number and their sum.
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE
CSRF_FAILURE_VIEW = "config.views.csrf_failure"

APPEND_SLASH = False
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"

# The built frontend: hashed files under /assets/, everything else is the one page.
FRONTEND_DIR = Path(os.environ.get("BACKSTAY_FRONTEND_DIR", BASE_DIR.parent / "frontend" / "dist"))
WHITENOISE_ROOT = str(FRONTEND_DIR) if FRONTEND_DIR.is_dir() else None
WHITENOISE_INDEX_FILE = False
# Their names have a hash of their content. Next to them are copies compressed with brotli and gzip.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/assets/"
STATIC_URL = "/static/"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
# People reach the pages over TLS, which a proxy ends. BACKSTAY_HTTPS=0 is for plain HTTP on the loopback
# address, as in the demo: browsers would not send these cookies back.
SECURE_COOKIES = _flag("BACKSTAY_HTTPS", default=not DEBUG)
# Without this, Django would take each request for plain HTTP: no HSTS, and other origins in the CSRF check.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE_COOKIES else None
SESSION_COOKIE_SECURE = SECURE_COOKIES
CSRF_COOKIE_SECURE = SECURE_COOKIES
# A browser takes a __Host- cookie only over HTTPS and for this very host (RFC 6265bis, 4.1.3.2).
SESSION_COOKIE_NAME = "__Host-backstay" if SECURE_COOKIES else "backstay"
CSRF_COOKIE_NAME = "__Host-backstay-csrf" if SECURE_COOKIES else "backstay-csrf"
DEVICE_COOKIE_NAME = "__Host-backstay-device" if SECURE_COOKIES else "backstay-device"
SECURE_HSTS_SECONDS = 31_536_000 if SECURE_COOKIES else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": os.environ.get("BACKSTAY_LOG_LEVEL", "INFO")},
}
