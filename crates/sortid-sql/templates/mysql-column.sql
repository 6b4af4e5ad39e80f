{# The template of sql/mysql-column.sql, which `cargo xtask layouts` writes. #}

{# The number that `count` bytes of the ID are, as a text of decimal digits. #}
{% macro decimal(first, count) -%}
    CONV(HEX(SUBSTR(id, {{ first }}, {{ count }})), 16, 10)
{%- endmacro %}

{# The number that `count` bytes of the ID are. #}
{% macro number(first, count) -%}
    CAST({{ decimal(first, count) }} AS UNSIGNED)
{%- endmacro %}

{# A text in Crockford's base 32, from one in that of MySQL. #}
{% macro crockford(base32) -%}
REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
            REPLACE(REPLACE(REPLACE(REPLACE(CAST(
            {{ base32 | indent(12) }}
            AS BINARY), 'V', 'Z'), 'U', 'Y'), 'T', 'X'), 'S', 'W'), 'R', 'V'), 'Q', 'T'), 'P', 'S'),
            'O', 'R'), 'N', 'Q'), 'M', 'P'), 'L', 'N'), 'K', 'M'), 'J', 'K'), 'I', 'J')
{%- endmacro %}

{# The digits of 6 bits that `count` bytes of the ID have after these shifts. #}
{% macro digits(first, count, shifts) %}
    {%- for shift in shifts -%}
        SUBSTR(_binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
    ({{ decimal(first, count) }}{{ " >> " ~ shift if shift }}{{ " & 63" if shift < 18 }}) + 1, 1)
        {{- ",\n" if not loop.last }}
    {%- endfor %}
{% endmacro %}

{# The ten digits of 6 bits that eight bytes of the ID have. #}
{% macro base64(first) -%}
{{ digits(first, 2, [6, 0]) }},
{{ digits(first + 2, 3, [18, 12, 6, 0]) }},
{{ digits(first + 5, 3, [18, 12, 6, 0]) }}
{%- endmacro %}

{# The digits of base 32 from those of Crockford, in upper case. I and L are 1, and O is 0. #}
{% macro uncrockford(digits) -%}
REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
            REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(CAST(
            UPPER({{ digits }})
            AS BINARY), 'I', '1'), 'L', '1'), 'O', '0'), 'J', 'I'), 'K', 'J'), 'M', 'K'), 'N', 'L'), 'P', 'M'),
            'Q', 'N'), 'R', 'O'), 'S', 'P'), 'T', 'Q'), 'V', 'R'), 'W', 'S'), 'X', 'T'), 'Y', 'U'), 'Z', 'V')
{%- endmacro %}

{# What makes the server compute the columns of a subquery once, not in each place where they are used. #}
{% set once = "LIMIT 18446744073709551615" %}

{# The bytes of texts as characters: a conversion to latin1 would refuse what it does not have. #}
{% set texts -%}
texts (input, text) AS (
    SELECT input, CONVERT(CAST(CONVERT(input USING utf8mb4) AS BINARY) USING latin1) COLLATE latin1_bin FROM inputs
),
{%- endset %}

{# The result of a query that parses. #}
{% macro parsed(prefix) -%}
SELECT
    input,
    id AS {{ prefix }}_parse
FROM parsed;
{%- endmacro %}

{# The number that ten digits of 6 bits are. NULL for other text: LOCATE returns 0 for what is not in the alphabet. #}
{% macro base64_number(text) %}
    {%- for place in range(1, 11) -%}
        (NULLIF(LOCATE(SUBSTR({{ text }}, {{ place }}, 1),
    _binary'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~'), 0) - 1)
        {{- " << " ~ (60 - 6 * place) ~ "\n| " if not loop.last }}
    {%- endfor %}
{% endmacro %}

-- The time, the text and the fields of IDs as expressions, for MariaDB (10.11 and later) and MySQL (8.0 and later).
--
-- The first query of each section is of a sample ID. For a view of your IDs, replace the SELECT in its first line by
-- one that reads your column, and put CREATE VIEW before it. A query of the view by id uses the index of the column.
-- The second query is of sample texts, and returns their IDs, or NULL for what is not an ID.
--
-- The expressions take a small part of the time of the stored functions. They report no faults: an ID of a wrong length
-- or with forbidden bits has NULL in all its columns, and an ID of a time after the year 9999 has no time. They can
-- also define generated columns.
--
-- The columns of IDs have the same types as for the functions: BINARY(20) for SCRU160, BIGINT for Ulid-Flake,
-- BINARY(16) for the others. Times are UTC, texts are utf8mb4_bin.

-- ==== scru160 ====
{% set is_id = "LENGTH(id) = 20" %}
-- X'E677D21FDC00' are the milliseconds of the year 10000, which DATETIME cannot hold. Five bytes are eight digits.

WITH ids (id) AS (SELECT UNHEX('017bdf6431bb33750751eb63beb3c3f8c5969d86'))
SELECT
    id,
    IF({{ is_id }} AND id < X'E677D21FDC00',
        TIMESTAMP'1970-01-01 00:00:00' + INTERVAL {{ number(1, 6) }} * 0.001 SECOND,
        NULL) AS scru160_time,
    IF({{ is_id }},
        CONVERT(CONCAT(
            LPAD(CONV(HEX(SUBSTR(id, 1, 5)), 16, 32), 8, '0'), LPAD(CONV(HEX(SUBSTR(id, 6, 5)), 16, 32), 8, '0'),
            LPAD(CONV(HEX(SUBSTR(id, 11, 5)), 16, 32), 8, '0'), LPAD(CONV(HEX(SUBSTR(id, 16, 5)), 16, 32), 8, '0'))
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS scru160_text,
    IF({{ is_id }}, {{ number(1, 6) }}, NULL) AS scru160_timestamp_ms,
    IF({{ is_id }}, {{ number(7, 2) }}, NULL) AS scru160_counter,
    IF({{ is_id }}, {{ number(9, 2) }}, NULL) AS scru160_random16,
    IF({{ is_id }}, SUBSTR(id, 11, 10), NULL) AS scru160_random80
FROM ids;

WITH inputs (input) AS (SELECT '05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6' UNION ALL SELECT 'nonsense'),
{{ texts }}
-- LIMIT makes the server compute each ID once, not in each place where it is used.
parsed (input, id) AS (
    SELECT input, CASE
        WHEN LENGTH(text) = 32 AND text REGEXP _latin1'^[0-9A-Va-v]{32}$' THEN UNHEX(CONCAT(
            LPAD(CONV(SUBSTR(text, 1, 8), 32, 16), 10, '0'), LPAD(CONV(SUBSTR(text, 9, 8), 32, 16), 10, '0'),
            LPAD(CONV(SUBSTR(text, 17, 8), 32, 16), 10, '0'), LPAD(CONV(SUBSTR(text, 25, 8), 32, 16), 10, '0')))
        WHEN LENGTH(text) = 40 AND text REGEXP _latin1'^[0-9A-Fa-f]{40}$' THEN UNHEX(text)
        END
    FROM texts {{ once }}
)
{{ parsed("scru160") }}

-- ==== euid ====
{% set is_id = "LENGTH(id) = 16" %}
{% set check -%}
({{ number(1, 2) }}
    + {{ number(3, 7) }}
    + {{ number(10, 7) }}) % 127
{%- endset %}
{% set base32 -%}
CONCAT(
    LPAD(CONV(SUBSTR(HEX(id), 1, 15), 16, 32), 12, '0'),
    LPAD(CONV(SUBSTR(HEX(id), 16, 15), 16, 32), 12, '0'),
    LPAD(CONV(
        ORD(SUBSTR(id, 16)) << 7
            | {{ check | indent(12) }},
        10, 32), 3, '0'))
{%- endset %}
-- 15 hex digits are 60 bits, which 12 digits of the text hold. Its last 3 digits hold the last byte and the check. The
-- digits of base 32 become those of Crockford, the greatest first, so that no digit is replaced twice.
-- The check is the ID modulo 127. 2^56 is 1 modulo 127, so the sum of groups of 7 bytes has the same remainder.
-- The last two are for a column with EUIDs and UUIDs of version 7, which begin with 48 bits of milliseconds. Those of
-- before 2209-12-30 are less than the EUIDs of 2000 and later, which begin with X'06E3567D6000' or are greater.
{% set is_uuid7 = "id < X'06E3567D6000' AND ORD(SUBSTR(id, 7)) >> 4 = 7 AND ORD(SUBSTR(id, 9)) >> 6 = 2" %}

WITH ids (id) AS (SELECT UNHEX('0d1020177647d260016d60f7c924737e'))
SELECT
    id,
    IF({{ is_id }},
        TIMESTAMP'1970-01-01 00:00:00'
            + INTERVAL ({{ number(1, 6) }} >> 3) * 0.001 SECOND,
        NULL) AS euid_time,
    IF({{ is_id }},
        CONVERT({{ crockford(base32) }}
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS euid_text,
    IF({{ is_id }}, {{ number(1, 6) }} >> 3, NULL) AS euid_timestamp_ms,
    IF({{ is_id }},
        ({{ number(6, 3) }} >> 4 & 32767) >> (ORD(SUBSTR(id, 8)) & 15),
        NULL) AS euid_random_upper,
    IF({{ is_id }} AND ORD(SUBSTR(id, 8)) & 15 > 0,
        ({{ number(6, 3) }} >> 4) % (1 << (ORD(SUBSTR(id, 8)) & 15)),
        NULL) AS euid_extension,
    IF({{ is_id }}, ORD(SUBSTR(id, 8)) & 15, NULL) AS euid_extension_bits,
    IF({{ is_id }}, {{ number(9, 4) }}, NULL) AS euid_random_high,
    IF({{ is_id }}, {{ number(13, 4) }}, NULL) AS euid_random_low,
    IF({{ is_id }},
        {{ check | indent(8) }},
        NULL) AS euid_check,
    IF({{ is_id }},
        {{ is_uuid7 }},
        NULL) AS euid_is_uuid7,
    IF({{ is_id }},
        TIMESTAMP'1970-01-01 00:00:00' + INTERVAL ({{ number(1, 6) }}
            >> IF({{ is_uuid7 }},
                0, 3)) * 0.001 SECOND,
        NULL) AS euid_or_uuid7_time
FROM ids;

WITH inputs (input) AS (SELECT 'C8EE934SR007G5Q94QKKXFRFV8B' UNION ALL SELECT 'C8EE934SR007G5Q94QKKXFRFV8C'),
{{ texts }}
-- LIMIT makes the server compute the digits and each ID once, not in each place where they are used. 12 digits are 60
-- bits, and 15 hex digits. The last 3 are the last byte of the ID and the 7 bits of the check.
digits (input, digits) AS (
    SELECT input, IF(LENGTH(text) = 27 AND text REGEXP _latin1'^[0-9A-TV-Za-tv-z]{27}$',
        {{ uncrockford("text") }}, NULL)
    FROM texts {{ once }}
),
numbers (input, high, middle, low) AS (
    SELECT
        input,
        CAST(CONV(SUBSTR(digits, 1, 12), 32, 10) AS UNSIGNED),
        CAST(CONV(SUBSTR(digits, 13, 12), 32, 10) AS UNSIGNED),
        CAST(CONV(SUBSTR(digits, 25, 3), 32, 10) AS UNSIGNED)
    FROM digits
),
-- The check is the ID modulo 127, or 127, which means that there is none. Modulo 127, 2^68 is 32 and 2^8 is 2.
parsed (input, id) AS (
    SELECT input, IF((low & 127) IN (127, (high % 127 * 32 + middle % 127 * 2 + (low >> 7)) % 127),
        UNHEX(CONCAT(LPAD(HEX(high), 15, '0'), LPAD(HEX(middle), 15, '0'), LPAD(HEX(low >> 7), 2, '0'))), NULL)
    FROM numbers {{ once }}
)
{{ parsed("euid") }}

-- ==== ulid_flake ====
{% set is_id = "id BETWEEN 0 AND 9223372036854775807" %}
-- The digits of base 32 become those of Crockford, the greatest first, so that no digit is replaced twice.

WITH ids (id) AS (SELECT 14246757444195114)
SELECT
    id,
    IF({{ is_id }},
        TIMESTAMP'2024-01-01 00:00:00' + INTERVAL (id >> 20) * 0.001 SECOND,
        NULL) AS ulid_flake_time,
    IF({{ is_id }},
        CONVERT({{ crockford("LPAD(CONV(id, 10, 32), 13, '0')") }}
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS ulid_flake_text,
    IF({{ is_id }}, id >> 20, NULL) AS ulid_flake_timestamp_ms,
    IF({{ is_id }}, id % (1 << 20), NULL) AS ulid_flake_randomness,
    IF({{ is_id }}, (id >> 5) % (1 << 15), NULL) AS ulid_flake_scalable_randomness,
    IF({{ is_id }}, id & 31, NULL) AS ulid_flake_scalability
FROM ids;

WITH inputs (input) AS (SELECT '00CMXB6TAK4SA' UNION ALL SELECT '80CMXB6TAK4SA'),
{{ texts }}
-- LIMIT makes the server compute each ID once, not in each place where it is used.
parsed (input, id) AS (
    SELECT input, IF(LENGTH(text) = 13 AND text REGEXP _latin1'^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}$',
        CAST(CONV({{ uncrockford("text") }},
            32, 10) AS SIGNED), NULL)
    FROM texts {{ once }}
)
{{ parsed("ulid_flake") }}

-- ==== ron_uid ====
{% set is_id = "LENGTH(id) = 16 AND ORD(id) < 16 AND ORD(SUBSTR(id, 9)) < 64" %}
{% set month = "TIMESTAMP'2010-01-01 00:00:00' + INTERVAL " ~ decimal(1, 2) ~ " MONTH" %}
{% set day = "ORD(SUBSTR(id, 3)) >> 2" %}
{% set hour = decimal(3, 3) ~ " >> 12 & 63" %}
{% set minute = decimal(3, 3) ~ " >> 6 & 63" %}
{% set second = decimal(3, 3) ~ " & 63" %}
{% set millis = decimal(6, 2) ~ " >> 4" %}
-- The value and the origin are ten digits of 6 bits: two in the first two bytes, after 4 other bits, and four in each
-- of the next two groups of three bytes. The zeros at the end are left out.
-- The digits of a time are two for the month, one each for the day, hour, minute and second, two for the milliseconds
-- and two for a sequence number. X'0FC0' is above the last month. Names and hashes (scheme 0 and 1) have no time.
-- The text has no sign (its length is 0) after a name with the origin 0, and after the events 0, ~ and ~~~~~~~~~~ with
-- the origin 0.

WITH ids (id) AS (SELECT UNHEX('004c694ca9341000287f000000000000'))
SELECT
    id,
    IF(LENGTH(id) = 16 AND id < X'0FC0' AND ORD(SUBSTR(id, 9)) BETWEEN 32 AND 63
            AND {{ day }}
                < DAY(LAST_DAY({{ month }}))
            AND {{ hour }} < 24
            AND {{ minute }} < 60
            AND {{ second }} < 60
            AND {{ millis }} < 1000,
        {{ month }}
            + INTERVAL (({{ day }}) * 86400000
                + ({{ hour }}) * 3600000
                + ({{ minute }}) * 60000
                + ({{ second }}) * 1000
                + ({{ millis }})) * 0.001 SECOND,
        NULL) AS ron_uid_time,
    IF({{ is_id }},
        CONVERT(CONCAT(
            IF(SUBSTR(id, 1, 8) = X'0000000000000000'
                    AND ORD(SUBSTR(id, 9)) & 15 = 0 AND SUBSTR(id, 10) = X'00000000000000',
                '0',
                TRIM(TRAILING '0' FROM CONCAT(
                    {{ base64(1) | indent(20) }}))),
            SUBSTR('$%-+', (ORD(SUBSTR(id, 9)) >> 4) + 1,
                IF(SUBSTR(id, 9)
                        = IF(SUBSTR(id, 1, 8) IN (X'0000000000000000', X'0FC0000000000000', X'0FFFFFFFFFFFFFFF'),
                            X'2000000000000000', X'0000000000000000'),
                    0, 1)),
            TRIM(TRAILING '0' FROM CONCAT(
                {{ base64(9) | indent(16) }})))
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS ron_uid_text,
    IF({{ is_id }},
        CONVERT(IF(SUBSTR(id, 1, 8) = X'0000000000000000',
            '0',
            TRIM(TRAILING '0' FROM CONCAT(
                {{ base64(1) | indent(16) }})))
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS ron_uid_value,
    IF({{ is_id }},
        CONVERT(IF(ORD(SUBSTR(id, 9)) & 15 = 0 AND SUBSTR(id, 10) = X'00000000000000',
            '0',
            TRIM(TRAILING '0' FROM CONCAT(
                {{ base64(9) | indent(16) }})))
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS ron_uid_origin,
    IF({{ is_id }},
        {{ number(1, 8) }},
        NULL) AS ron_uid_value_int,
    IF({{ is_id }},
        {{ number(9, 8) }} % (1 << 60),
        NULL) AS ron_uid_origin_int,
    IF({{ is_id }},
        CONVERT(ELT((ORD(SUBSTR(id, 9)) >> 4) + 1, 'name', 'hash', 'event', 'derived')
            USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS ron_uid_scheme
FROM ids;

WITH inputs (input) AS (SELECT '1CQKneD1-X~' UNION ALL SELECT 'inc' UNION ALL SELECT 'two-signs-'),
texts (input, text) AS (
    SELECT input, IF(CHAR_LENGTH(input) BETWEEN 1 AND 21, CAST(CONVERT(input USING utf8mb4) AS BINARY), NULL)
    FROM inputs
),
-- The sign; 0 if there is none. A second sign makes the part that contains it invalid. Here and below, LIMIT makes the
-- server compute each value once, not wherever it is used.
places (input, text, sign_at) AS (
    SELECT
        input,
        text,
        GREATEST(LOCATE('-', text), LOCATE('+', text), LOCATE('$', text), LOCATE('%', text))
    FROM texts {{ once }}
),
-- The value, the scheme and the origin. Digits alone are a name, or one of the events 0, ~ and ~~~~~~~~~~.
parts (input, value, bare, scheme, origin) AS (
    SELECT
        input,
        IF(sign_at > 0, LEFT(text, sign_at - 1), text),
        IF(TRIM(TRAILING '0' FROM IF(sign_at > 0, LEFT(text, sign_at - 1), text)) IN ('', '~', '~~~~~~~~~~'), 2, 0),
        IF(sign_at > 0, LOCATE(SUBSTR(text, sign_at, 1), '$%-+') - 1, NULL),
        IF(sign_at > 0, SUBSTR(text, sign_at + 1), '')
    FROM places {{ once }}
),
-- Zeros follow, up to ten digits. The text leaves out a value of 0 if the origin is not 0, and an origin of 0 if it has
-- to have the sign.
filled (input, value, scheme, origin) AS (
    SELECT
        input,
        IF(LENGTH(value) > 10 OR LENGTH(origin) > 10
            OR value = '' AND TRIM(TRAILING '0' FROM origin) = '' OR origin = '' AND scheme = bare,
            NULL, RPAD(value, 10, '0')),
        IFNULL(scheme, bare),
        RPAD(origin, 10, '0')
    FROM parts {{ once }}
),
numbers (input, value, scheme, origin) AS (
    SELECT
        input,
        {{ base64_number("value") | indent(8) }},
        scheme,
        {{ base64_number("origin") | indent(8) }}
    FROM filled {{ once }}
),
parsed (input, id) AS (
    SELECT input, UNHEX(CONCAT(LPAD(HEX(value), 16, '0'), LPAD(HEX(scheme << 60 | origin), 16, '0')))
    FROM numbers {{ once }}
)
{{ parsed("ron_uid") }}

-- ==== event_id ====
{% set is_id = "LENGTH(id) = 16" %}
{% set is_uuid7 = "id >= X'00DC6ACFAC00' AND ORD(SUBSTR(id, 7)) >> 4 = 7 AND ORD(SUBSTR(id, 9)) >> 6 = 2" %}
{% set time -%}
IF({{ is_id }} AND id < X'0384440CCC736000',
        TIMESTAMP'1970-01-01 00:00:00' + INTERVAL {{ number(1, 8) }} MICROSECOND,
        NULL)
{%- endset %}
-- X'0384440CCC736000' are the microseconds of the year 10000, which DATETIME cannot hold, and X'E677D21FDC00' the
-- milliseconds. The last two are for a column with Event IDs and UUIDs of version 7, which begin with 48 bits of
-- milliseconds. Those of 2000 and later are greater than the Event IDs of before 3936. They begin with X'00DC6ACFAC00',
-- or are greater.

WITH ids (id) AS (SELECT UNHEX('0005cd755a43d79238c05790c0331dd8'))
SELECT
    id,
    {{ time }} AS event_id_time,
    IF({{ is_id }}, CONVERT(LOWER(HEX(id)) USING utf8mb4) COLLATE utf8mb4_bin, NULL) AS event_id_text,
    IF({{ is_id }}, {{ number(1, 8) }}, NULL) AS event_id_timestamp_us,
    IF({{ is_id }},
        CONVERT(LOWER(HEX(SUBSTR(id, 9, 4))) USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS event_id_checksum,
    IF({{ is_id }},
        CONVERT(LOWER(HEX(SUBSTR(id, 13, 4))) USING utf8mb4) COLLATE utf8mb4_bin,
        NULL) AS event_id_ledger_id,
    IF({{ is_id }}, ORD(SUBSTR(id, 16)) & 3, NULL) AS event_id_version,
    IF({{ is_id }},
        {{ is_uuid7 }},
        NULL) AS event_id_is_uuid7,
    IF({{ is_id }} AND {{ is_uuid7 }},
        IF(id < X'E677D21FDC00',
            TIMESTAMP'1970-01-01 00:00:00'
                + INTERVAL {{ number(1, 6) }} * 0.001 SECOND,
            NULL),
        {{ time | indent(4) }}) AS event_id_or_uuid7_time
FROM ids;

WITH inputs (input) AS (SELECT '0005cd755a43d79238c05790c0331dd8' UNION ALL SELECT '0005cd755a43d79238c0'),
{{ texts }}
-- LIMIT makes the server compute each ID once, not in each place where it is used.
parsed (input, id) AS (
    SELECT input, IF(LENGTH(text) = 32 AND text REGEXP _latin1'^[0-9A-Fa-f]{32}$', UNHEX(text), NULL)
    FROM texts {{ once }}
)
{{ parsed("event_id") }}
