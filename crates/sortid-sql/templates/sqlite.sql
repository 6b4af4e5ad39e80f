{# The template of sql/sqlite.sql, which `cargo xtask layouts` writes. #}

{# The digits that texts have, and the bits of a digit. #}
{% set hex = {"digits": "0123456789ABCDEF", "bits": 4} %}
{% set base32hex = {"digits": "0123456789ABCDEFGHIJKLMNOPQRSTUV", "bits": 5} %}
{% set crockford = {"digits": "0123456789ABCDEFGHJKMNPQRSTVWXYZ", "bits": 5} %}
{% set base64 = {"digits": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~", "bits": 6} %}

{# The number that the digits of `text` from the first to the last place are. #}
{% macro number(base, text, first, last, per_line=1) %}
    {%- for place in range(first, last + 1) -%}
        instr('{{ base.digits[1:] }}',{{ "\n    " if base == base64 else " " }}substr({{ text }}, {{ place }}, 1))
        {%- if not loop.last %} << {{ base.bits }}{{ " | " if loop.index % per_line else "\n| " }}{% endif %}
    {%- endfor %}
{% endmacro %}

{# The number that the hex digits of the ID from the first to the last place are. #}
{% macro hex_number(first, last) -%}
    {{ number(hex, "hex(id)", first, last, 2) | indent(8) }}
{%- endmacro %}

{# `count` digits, whose bits begin with the hex digit `first` of the ID. Two hex digits have all bits of a digit. #}
{% macro digits(base, first, count) %}
    {%- for bit in range(0, base.bits * count, base.bits) -%}
        {%- set place = first + bit // 4 -%}
        {%- set after = 8 - base.bits - bit % 4 -%}
        {{ "\n|| " if bit }}substr('{{ base.digits }}', 1 + ({{ "\n    " if base == base64 -}}
        {{ number(hex, "hex(id)", place, place + 1) | indent(4) }}
        {{- " >> " ~ after if after }}{{ " & " ~ (2 ** base.bits - 1) if bit % 4 }}), 1)
    {%- endfor %}
{% endmacro %}

{# What `byte` reads. #}
{% set all_bytes -%}
-- All bytes: the byte n is at the place n + 1.
bytes (every) AS (VALUES (CAST(
    x'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F'
    || x'202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F'
    || x'404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F'
    || x'606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F'
    || x'808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9F'
    || x'A0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBF'
    || x'C0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDF'
    || x'E0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF'
AS BLOB)))
{%- endset %}

{# The byte at a place, from 0 on, of numbers with so many bits each. #}
{% macro byte(numbers, bits, place) -%}
    {%- set shift = bits - 8 - place % (bits // 8) * 8 -%}
    substr(every, 1 + ({{ numbers[place // (bits // 8)] }}{{ " >> " ~ shift if shift }} & 255), 1)
{%- endmacro %}

{# The first `count` bytes of numbers with so many bits each. #}
{% macro bytes(numbers, bits, count) %}
    {%- for place in range(0, count, 2) -%}
        {{ "\n|| " if place }}({{ byte(numbers, bits, place) }} || {{ byte(numbers, bits, place + 1) }})
    {%- endfor %}
{% endmacro %}

{# The times of the moments, as seconds with so many digits of their fraction. #}
{% macro times(name, digits) -%}
-- The text up to the first digit of the fraction of a second; the fraction and what follows it. SQLite's functions
-- round a fraction to milliseconds, so it is read apart.
splits (moment, whole, tail) AS MATERIALIZED (
    SELECT moment, substr(moment, 1, instr(moment || '.', '.') + 1), substr(moment, instr(moment || '.', '.') + 1)
    FROM moments
),
-- The seconds, and {{ digits }} digits of the fraction. SQLite reads 30 February as a day of March, so the date is checked.
times (moment, {{ name }}) AS MATERIALIZED (
    SELECT moment, CASE WHEN typeof(moment) = 'text'
        AND date(substr(moment, 1, 10), '+0 days') = substr(moment, 1, 10) THEN
        unixepoch(whole || ltrim(substr(tail, 2), '0123456789')) * {{ 10 ** digits }} + CAST(substr(
            substr(tail, 1, length(tail) - length(ltrim(tail, '0123456789'))) || '{{ "0" * digits }}', 1, {{ digits }}) AS INTEGER) END
    FROM splits
)
{%- endmacro %}

{# The result of a query that parses. #}
{% macro parsed(prefix, time) -%}
SELECT
    input,
    iif(input IS NULL, NULL, id IS NOT NULL) AS {{ prefix }}_is_valid,
    id AS {{ prefix }}_parse,
    {{ time }} AS {{ prefix }}_text_time
FROM parsed;
{%- endmacro %}

{# Whether the ID has the bits of the version and of the variant of a UUID of version 7. #}
{% set has_version_7 = "substr(hex(id), 13, 1) = '7' AND substr(hex(id), 17, 1) BETWEEN '8' AND 'B'" %}

{# The least UUID of version 7 of `millis`. #}
{% macro uuid7_min_at() -%}
CASE WHEN millis BETWEEN 0 AND 253402300799999 THEN CAST(
        {{ bytes(["millis"], 48, 6) | indent(8) }}
        || x'00000000000000000000' AS BLOB) END
{%- endmacro %}

-- IDs in SQLite: their times, texts and fields; IDs from their texts; and the bounds of a time. SQLite 3.40 or newer.
--
-- SQLite cannot define functions in SQL, so this file has queries with expressions to copy. The file changes nothing:
-- the program `sqlite3` prints the samples. Each specification has three queries:
--
-- 1. From an ID: its time, text and fields. Every column is an expression of `id` alone, deterministic and without a
--    subquery. With the name of your column for `id`, it also works in a view, an index or a generated column. In a
--    view, a column that the query does not use costs nothing.
-- 2. From a text: whether it is an ID, the ID, and its time. Replace the samples by your texts, or by a SELECT of them.
-- 3. From a moment: the least and the greatest ID of its millisecond (Event ID: microsecond). A moment is TEXT that
--    SQLite's date functions read and that begins with a date: '2024-06-06 06:06:06.666', in UTC, or with Z or an
--    offset.
--
-- The queries 2 and 3 need subqueries, because they compute the parts of an ID once and use them several times.
--
-- Columns of IDs: BLOB, of 20 bytes for SCRU160 and of 16 for EUID, RON UID and Event ID; INTEGER for Ulid-Flake.
-- Times are TEXT in UTC with milliseconds (Event ID: microseconds), in the form of SQLite's functions, so they compare
-- as texts. A time after the year 9999 is NULL, because SQLite's functions end there.
--
-- SQLite cannot report an error in an expression. The result is NULL for an ID of the wrong type (such as TEXT instead
-- of BLOB), of the wrong length or with bits that the specification forbids; for a text that is not an ID; and for a
-- moment that is not a time of the specification. The columns `_is_valid` are 1 or 0, and NULL for NULL.
--
-- To find rows by time, compare the ID with bounds: the query uses the primary key or an index of the ID. The third
-- query computes bounds, and the command `sortid range --sql TABLE.COLUMN --dialect sqlite` prints the whole query:
--
--     SELECT * FROM orders
--     WHERE id BETWEEN x'0C7F613C7A5000000000000000000000' AND x'0C7F613C7A57FFFFFFFFFFFFFFFFFFFF';
--
-- Names and hashes of RON UIDs have no time, but can be between the bounds: add AND ron_uid_time IS NOT NULL.
--
-- Nothing here makes an ID: SQLite has no state for the order of new IDs. Make them with the library or the program.
--
-- Four facts explain the expressions:
--
-- - The number of a digit is its place among the digits from 1 on: instr('123456789ABCDEF', 'B') is 11. The digit 0 is
--   not found, which is 0, too.
-- - The operators <<, >>, & and | have one precedence, below + and -, and apply from the left: a << 4 | b << 4 | c is
--   the number of the hex digits a, b and c.
-- - SQLite 3.40 has no function that writes a byte, so substr takes it from a BLOB of all bytes.
-- - Seconds as a REAL are precise enough until the year 9999: SQLite's functions print milliseconds divided by 1000.0
--   as the same milliseconds.

-- ==== scru160 ====
{% set is_id = "typeof(id) = 'blob' AND length(id) = 20" %}
{% set time -%}
    CASE WHEN {{ is_id }} THEN strftime('%Y-%m-%d %H:%M:%f', (
        {{ hex_number(1, 12) }}
    ) / 1000.0, 'unixepoch') END
{%- endset %}

WITH ids (id) AS (VALUES (x'017BDF6431BB33750751EB63BEB3C3F8C5969D86'))
SELECT
    id,
    {{ time }} AS scru160_time,
    -- 32 digits of 5 bits. Two hex digits, 8 bits, have each of them.
    CASE WHEN {{ is_id }} THEN
        {{ digits(base32hex, 1, 32) | indent(8) }}
    END AS scru160_text,
    CASE WHEN {{ is_id }} THEN
        {{ hex_number(1, 12) }}
    END AS scru160_timestamp_ms,
    CASE WHEN {{ is_id }} THEN
        {{ hex_number(13, 16) }}
    END AS scru160_counter,
    CASE WHEN {{ is_id }} THEN
        {{ hex_number(17, 20) }}
    END AS scru160_random16,
    CASE WHEN {{ is_id }} THEN
        substr(id, 11)
    END AS scru160_random80
FROM ids;

WITH inputs (input) AS (VALUES ('05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6'), ('nonsense')),
{{ all_bytes }},
texts (input, text) AS MATERIALIZED (
    SELECT input, CASE WHEN typeof(input) = 'text' AND instr(input, char(0)) = 0 AND (
        length(input) = 32 AND input NOT GLOB '*[^0-9A-Va-v]*'
        OR length(input) = 40 AND input NOT GLOB '*[^0-9A-Fa-f]*')
        THEN upper(input) END
    FROM inputs
),
-- 160 bits as four numbers of 40 bits: 8 digits of base32hex each, or 10 of hex.
numbers (input, n1, n2, n3, n4) AS MATERIALIZED (
    SELECT
        input,
        {% for n in range(4) %}
        CASE length(text) WHEN 32 THEN
            {{ number(base32hex, "text", 8 * n + 1, 8 * n + 8) | indent(12) }}
        WHEN 40 THEN
            {{ number(hex, "text", 10 * n + 1, 10 * n + 10, 2) | indent(12) }}
        END{{ "," if not loop.last }}
        {% endfor %}
    FROM texts
),
-- The parentheses join pairs: in a UTF-16 database, || cuts an odd number of bytes.
parsed (input, id) AS MATERIALIZED (
    SELECT input, CASE WHEN n1 IS NOT NULL THEN CAST(
        {{ bytes(["n1", "n2", "n3", "n4"], 40, 20) | indent(8) }}
    AS BLOB) END
    FROM numbers, bytes
)
{{ parsed("scru160", time) }}

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
{{ all_bytes }},
{{ times("millis", 3) }},
-- Up to the year 9999, where SQLite's times end.
heads (moment, head) AS MATERIALIZED (
    SELECT moment, CASE WHEN millis BETWEEN 0 AND 253402300799999 THEN CAST(
        {{ bytes(["millis"], 48, 6) | indent(8) }}
    AS BLOB) END
    FROM times, bytes
)
SELECT
    moment,
    CAST(head || x'0000000000000000000000000000' AS BLOB) AS scru160_min_at,
    CAST(head || x'FFFFFFFFFFFFFFFFFFFFFFFFFFFF' AS BLOB) AS scru160_max_at
FROM heads;

-- ==== euid ====
{% set check -%}
    ((
        {{ hex_number(1, 4) }}
        ) + (
        {{ hex_number(5, 18) }}
        ) + (
        {{ hex_number(19, 32) }}
        )) % 127
{%- endset %}
{% set is_id = "typeof(id) = 'blob' AND length(id) = 16" %}
{% set time -%}
    CASE WHEN {{ is_id }} THEN strftime('%Y-%m-%d %H:%M:%f', (
        {{ hex_number(1, 12) }} >> 3
    ) / 1000.0, 'unixepoch') END
{%- endset %}

WITH ids (id) AS (VALUES (x'621CE48C99C0007816E925E73EBF0FDA'))
SELECT
    id,
    -- 45 of the 48 bits of 12 hex digits.
    {{ time }} AS euid_time,
    -- 25 digits of 5 bits: two hex digits have each of them. Then 3 bits and 2 of the check; then 5
    -- of the check, which is computed as in euid_check.
    CASE WHEN {{ is_id }} THEN
        {{ digits(crockford, 1, 25) | indent(8) }}
        || substr('{{ crockford.digits }}', 1 + (
            {{ hex_number(32, 32) }} << 2 & 31) + ({{ check }} >> 5), 1)
        || substr('{{ crockford.digits }}', 1 + ({{ check }} & 31), 1)
    END AS euid_text,
    CASE WHEN {{ is_id }} THEN
        {{ hex_number(1, 12) }} >> 3
    END AS euid_timestamp_ms,
    -- The 15 bits after the timestamp: random bits, then the extension. The next digit is the length of the extension.
    CASE WHEN {{ is_id }} THEN
        {{ hex_number(12, 15) }}
        & 32767 >> {{ hex_number(16, 16) }}
    END AS euid_random_upper,
    CASE WHEN {{ is_id }} AND substr(hex(id), 16, 1) > '0' THEN
        {{ hex_number(12, 15) }}
        & 32767 & ((1 << {{ hex_number(16, 16) }}) - 1)
    END AS euid_extension,
    CASE WHEN {{ is_id }} THEN
        {{ hex_number(16, 16) }}
    END AS euid_extension_bits,
    CASE WHEN {{ is_id }} THEN
        {{ hex_number(17, 24) }}
    END AS euid_random_high,
    CASE WHEN {{ is_id }} THEN
        {{ hex_number(25, 32) }}
    END AS euid_random_low,
    -- The remainder of the 128 bits divided by 127. 2^56 leaves 1, so the sum of 16, 56 and 56 bits leaves as much.
    CASE WHEN {{ is_id }} THEN {{ check }} END AS euid_check,
    -- For a column with EUIDs and UUIDs of version 7, which begin with 48 bits of milliseconds. Those of before
    -- 2209-12-30 are less than the EUIDs of 2000 and later, which begin with the literal or are greater.
    CASE WHEN {{ is_id }} THEN id < x'06E3567D6000'
        AND {{ has_version_7 }}
    END AS euid_is_uuid7,
    CASE WHEN {{ is_id }} THEN strftime('%Y-%m-%d %H:%M:%f', (
        {{ hex_number(1, 12) }}
        >> CASE WHEN id < x'06E3567D6000'
            AND {{ has_version_7 }} THEN 0 ELSE 3 END
    ) / 1000.0, 'unixepoch') END AS euid_or_uuid7_time
FROM ids;

WITH inputs (input) AS (VALUES ('C8EE934SR007G5Q94QKKXFRFV8B'), ('C8EE934SR007G5Q94QKKXFRFV8C')),
{{ all_bytes }},
-- I and L are 1, and O is 0.
texts (input, text) AS MATERIALIZED (
    SELECT input, CASE WHEN typeof(input) = 'text' AND length(input) = 27 AND instr(input, char(0)) = 0
        AND input NOT GLOB '*[^0-9A-TV-Za-tv-z]*'
        THEN replace(replace(replace(upper(input), 'I', '1'), 'L', '1'), 'O', '0') END
    FROM inputs
),
-- 128 bits and the check as three numbers of 40 bits (8 digits) and one of 15 bits (3 digits).
numbers (input, n1, n2, n3, n4) AS MATERIALIZED (
    SELECT
        input,
        {{ number(crockford, "text", 1, 8) | indent(8) }},
        {{ number(crockford, "text", 9, 16) | indent(8) }},
        {{ number(crockford, "text", 17, 24) | indent(8) }},
        {{ number(crockford, "text", 25, 27) | indent(8) }}
    FROM texts
),
-- The check is the low 7 bits: 127, which is no check, or the remainder of the 128 bits divided by 127. 2^7 leaves 1,
-- so 2^88 leaves 2^4, 2^48 leaves 2^6, and 2^8 leaves 2.
-- The parentheses join pairs: in a UTF-16 database, || cuts an odd number of bytes.
parsed (input, id) AS MATERIALIZED (
    SELECT input, CASE WHEN (n4 & 127) IN (127, (n1 * 16 + n2 * 64 + n3 * 2 + (n4 >> 7)) % 127) THEN CAST(
        {{ bytes(["n1", "n2", "n3"], 40, 14) | indent(8) }}
        || (substr(every, 1 + (n3 & 255), 1) || substr(every, 1 + (n4 >> 7 & 255), 1))
    AS BLOB) END
    FROM numbers, bytes
)
{{ parsed("euid", time) }}

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
{{ all_bytes }},
{{ times("millis", 3) }},
-- The 45 bits of the timestamp are the upper ones of six bytes.
heads (moment, millis, head, fifth, sixth) AS MATERIALIZED (
    SELECT moment, millis, CASE WHEN millis BETWEEN 0 AND 35184372088831 THEN CAST(
        {{ bytes(["millis"], 45, 4) | indent(8) }}
    AS BLOB) END, substr(every, 1 + (millis >> 5 & 255), 1), millis << 3 & 255
    FROM times, bytes
)
SELECT
    moment,
    CAST(head || (fifth || substr(every, 1 + sixth, 1))
        || x'00000000000000000000' AS BLOB) AS euid_min_at,
    CAST(head || (fifth || substr(every, 1 + sixth + 7, 1))
        || x'FFFFFFFFFFFFFFFFFFFF' AS BLOB) AS euid_max_at,
    {{ uuid7_min_at() }} AS euid_uuid7_min_at
FROM heads, bytes;

-- ==== ulid_flake ====
{% set is_id = "typeof(id) = 'integer' AND id >= 0" %}
{% set time -%}
    CASE WHEN {{ is_id }} THEN
        strftime('%Y-%m-%d %H:%M:%f', ((id >> 20) + 1704067200000) / 1000.0, 'unixepoch')
    END
{%- endset %}

WITH ids (id) AS (VALUES (14246757444195114))
SELECT
    id,
    -- 1704067200000 is 2024-01-01 in milliseconds since 1970.
    {{ time }} AS ulid_flake_time,
    CASE WHEN {{ is_id }} THEN
        substr('{{ crockford.digits }}', 1 + (id >> 60), 1)
        {% for shift in range(55, -1, -5) %}
        || substr('{{ crockford.digits }}', 1 + (id{{ " >> " ~ shift if shift }} & 31), 1)
        {% endfor %}
    END AS ulid_flake_text,
    CASE WHEN {{ is_id }} THEN
        id >> 20
    END AS ulid_flake_timestamp_ms,
    CASE WHEN {{ is_id }} THEN
        id & 1048575
    END AS ulid_flake_randomness,
    -- The scalable version: the low 5 of the 20 bits are a node ID.
    CASE WHEN {{ is_id }} THEN
        id >> 5 & 32767
    END AS ulid_flake_scalable_randomness,
    CASE WHEN {{ is_id }} THEN
        id & 31
    END AS ulid_flake_scalability
FROM ids;

WITH inputs (input) AS (VALUES ('00CMXB6TAK4SA'), ('80CMXB6TAK4SA')),
-- If the first digit is above 7, the number has more than 63 bits.
texts (input, text) AS MATERIALIZED (
    SELECT input, CASE WHEN typeof(input) = 'text' AND length(input) = 13 AND instr(input, char(0)) = 0
        AND input GLOB '[0-7]*' AND input NOT GLOB '*[^0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]*'
        THEN upper(input) END
    FROM inputs
),
parsed (input, id) AS MATERIALIZED (
    SELECT
        input,
        {{ number(crockford, "text", 1, 13) | indent(8) }}
    FROM texts
)
{{ parsed("ulid_flake", time) }}

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
{{ times("millis", 3) }}
-- 1704067200000 is 2024-01-01 in milliseconds since 1970. The timestamp has 43 bits.
SELECT
    moment,
    CASE WHEN millis BETWEEN 1704067200000 AND 10500160222207 THEN
        millis - 1704067200000 << 20
    END AS ulid_flake_min_at,
    CASE WHEN millis BETWEEN 1704067200000 AND 10500160222207 THEN
        millis - 1704067200000 << 20 | 1048575
    END AS ulid_flake_max_at
FROM times;

-- ==== ron_uid ====
{% set is_id -%}
    typeof(id) = 'blob' AND length(id) = 16
        AND substr(id, 1, 1) < x'10' AND substr(id, 9, 1) < x'40'
{%- endset %}
{% set month = number(hex, "hex(id)", 2, 4) | indent(12) %}
{% set day = number(hex, "hex(id)", 5, 6) | indent(12) ~ " >> 2" %}
{% set hour = number(hex, "hex(id)", 6, 7) | indent(12) ~ " & 63" %}
{% set minute = number(hex, "hex(id)", 8, 9) | indent(12) ~ " >> 2" %}
{% set second = number(hex, "hex(id)", 9, 10) | indent(12) ~ " & 63" %}
{% set millis = number(hex, "hex(id)", 11, 13) | indent(12) %}
{% set time -%}
    CASE WHEN {{ is_id }}
        AND substr(id, 9, 1) >= x'20' AND substr(id, 1, 2) < x'0FC0'
        AND ({{ hour }}) < 24
        AND ({{ minute }}) < 60
        AND ({{ second }}) < 60
        AND substr(hex(id), 11, 3) < '3E8'
        AND date('2010-01-01',
            ({{ month }}) || ' months',
            ({{ day }}) || ' days')
            < date('2010-01-01',
            ({{ month }}) || ' months', '+1 month')
    THEN
        date('2010-01-01',
            ({{ month }}) || ' months',
            ({{ day }}) || ' days')
        || printf(' %02d:%02d:%02d.%03d',
            {{ hour }},
            {{ minute }},
            {{ second }},
            {{ millis }})
    END
{%- endset %}

WITH ids (id) AS (VALUES (x'004C694CA9341000287F000000000000'), (x'0B729C00000000000000000000000000'))
SELECT
    id,
    -- Events and derived UIDs before the value ~ have a time if their digits are a date: months since 2010 (12 bits),
    -- the day from 0, hour, minute and second (6 bits each), and milliseconds (12 bits, below x'3E8'). A day that the
    -- month lacks is not before the first day of the next month.
    {{ time }} AS ron_uid_time,
    -- The value, a sign and the origin, without trailing zeros. A value of 0 is 0 if the origin is 0, or else left out.
    -- The sign is left out if the origin is 0 and the value alone says as much: 0, ~ and ~~~~~~~~~~ are events, all
    -- others are names.
    CASE WHEN {{ is_id }} THEN
        CASE WHEN substr(hex(id), 1, 16) = '0000000000000000' AND substr(hex(id), 18) = '000000000000000'
            THEN '0' ELSE '' END
        || rtrim(
            {{ digits(base64, 2, 10) | indent(12) }},
            '0')
        || CASE WHEN CASE substr(id, 9)
            WHEN x'2000000000000000' THEN substr(id, 1, 8) IN (
                x'0000000000000000', x'0FC0000000000000', x'0FFFFFFFFFFFFFFF')
            WHEN x'0000000000000000' THEN substr(id, 1, 8) NOT IN (
                x'0000000000000000', x'0FC0000000000000', x'0FFFFFFFFFFFFFFF')
            ELSE FALSE END THEN ''
        ELSE substr('$%-+', 1 + {{ hex_number(17, 17) }}, 1) || rtrim(
            {{ digits(base64, 18, 10) | indent(12) }},
            '0') END
    END AS ron_uid_text,
    CASE WHEN {{ is_id }} THEN
        coalesce(nullif(rtrim(
            {{ digits(base64, 2, 10) | indent(12) }},
            '0'), ''), '0')
    END AS ron_uid_value,
    CASE WHEN {{ is_id }} THEN
        coalesce(nullif(rtrim(
            {{ digits(base64, 18, 10) | indent(12) }},
            '0'), ''), '0')
    END AS ron_uid_origin,
    CASE WHEN {{ is_id }} THEN
        {{ hex_number(2, 16) }}
    END AS ron_uid_value_int,
    CASE WHEN {{ is_id }} THEN
        {{ hex_number(18, 32) }}
    END AS ron_uid_origin_int,
    CASE WHEN {{ is_id }} THEN
        CASE substr(hex(id), 17, 1) WHEN '0' THEN 'name' WHEN '1' THEN 'hash' WHEN '2' THEN 'event' ELSE 'derived' END
    END AS ron_uid_scheme
FROM ids;

WITH inputs (input) AS (VALUES ('1CQKneD1-X~'), ('inc'), ('two-signs-')),
{{ all_bytes }},
-- The digits of the value, and the rest of the text.
rests (input, digits, rest) AS MATERIALIZED (
    SELECT input, substr(text, 1, length(text) - length(rest)), rest FROM (
        SELECT input, text, ltrim(text, '{{ base64.digits }}') AS rest
        FROM (SELECT input, CASE WHEN typeof(input) = 'text' AND length(input) BETWEEN 1 AND 21
            AND instr(input, char(0)) = 0 THEN input END AS text FROM inputs))
),
-- The sign, as its place in '$%-+' or 0. The blank is for the end of the text, because instr finds an empty text.
-- Digits alone are a name (0), or one of three events (2).
signs (input, digits, sign, bare, origin) AS MATERIALIZED (
    SELECT input, digits, sign, CASE WHEN rtrim(digits, '0') IN ('', '~', '~~~~~~~~~~') THEN 2 ELSE 0 END,
        substr(rest, 1 + (sign > 0))
    FROM (SELECT *, instr('$%-+', substr(rest || ' ', 1, 1)) AS sign FROM rests)
),
-- Nothing may follow the origin. The text leaves out a value of 0 if the origin is not 0, and an origin of 0 if it
-- has to have the sign.
parts (input, digits, origin_digits, scheme) AS MATERIALIZED (
    SELECT
        input,
        digits,
        CASE WHEN ltrim(origin, '{{ base64.digits }}') = ''
            AND NOT (digits = '' AND rtrim(origin, '0') = '') AND NOT (origin = '' AND sign - 1 = bare) THEN origin END,
        CASE WHEN sign > 0 THEN sign - 1 ELSE bare END
    FROM signs
),
-- Zeros follow, up to ten digits of 6 bits. The 2 bits of the scheme are above the 60 bits of the origin.
numbers (input, n1, n2) AS MATERIALIZED (
    SELECT
        input,
        CASE WHEN length(digits) <= 10 AND length(origin_digits) <= 10 THEN
            {{ number(base64, "digits || '0000000000'", 1, 10) | indent(12) }}
        END,
        (scheme << 60) + (
            {{ number(base64, "origin_digits || '0000000000'", 1, 10) | indent(12) }}
        )
    FROM parts
),
-- The parentheses join pairs: in a UTF-16 database, || cuts an odd number of bytes.
parsed (input, id) AS MATERIALIZED (
    SELECT input, CASE WHEN n1 IS NOT NULL THEN CAST(
        {{ bytes(["n1", "n2"], 64, 16) | indent(8) }}
    AS BLOB) END
    FROM numbers, bytes
)
{{ parsed("ron_uid", time) }}

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
{{ all_bytes }},
{{ times("millis", 3) }},
-- From 2010-01-01 to 2345-12-31: months since 2010 (12 bits), the day from 0, hour, minute, second (6 bits each),
-- milliseconds and a sequence number (12 bits each).
values_at (moment, n) AS MATERIALIZED (
    SELECT moment, CASE WHEN millis BETWEEN 1262304000000 AND 11865398399999 THEN
        (strftime('%Y', millis / 1000, 'unixepoch') - 2010) * 12 + strftime('%m', millis / 1000, 'unixepoch') - 1 << 6
        | strftime('%d', millis / 1000, 'unixepoch') - 1 << 6
        | strftime('%H', millis / 1000, 'unixepoch') << 6
        | strftime('%M', millis / 1000, 'unixepoch') << 6
        | strftime('%S', millis / 1000, 'unixepoch') << 12
        | millis % 1000 << 12 END
    FROM times
)
-- The least is an event with the origin 0, the greatest a derived UID with the sequence number 4095.
SELECT
    moment,
    CAST(
        {{ bytes(["n"], 64, 8) | indent(8) }}
        || x'2000000000000000'
    AS BLOB) AS ron_uid_min_at,
    CAST(
        {{ bytes(["(n | 4095)"], 64, 8) | indent(8) }}
        || x'3FFFFFFFFFFFFFFF'
    AS BLOB) AS ron_uid_max_at
FROM values_at, bytes;

-- ==== event_id ====
{% set is_id = "typeof(id) = 'blob' AND length(id) = 16" %}
{% set time -%}
    CASE WHEN {{ is_id }} AND substr(id, 1, 1) < x'80' THEN datetime((
        {{ hex_number(1, 16) }}
    ) / 1000000, 'unixepoch') || printf('.%06d', (
        {{ hex_number(1, 16) }}
    ) % 1000000) END
{%- endset %}

WITH ids (id) AS (VALUES (x'0005CD755A43D79238C05790C0331DD8'))
SELECT
    id,
    -- The timestamp is below 2^63 if the first byte is below x'80'.
    {{ time }} AS event_id_time,
    CASE WHEN {{ is_id }} THEN
        lower(hex(id))
    END AS event_id_text,
    CASE WHEN {{ is_id }} AND substr(id, 1, 1) < x'80' THEN
        {{ hex_number(1, 16) }}
    END AS event_id_timestamp_us,
    CASE WHEN {{ is_id }} THEN
        lower(hex(substr(id, 9, 4)))
    END AS event_id_checksum,
    CASE WHEN {{ is_id }} THEN
        lower(hex(substr(id, 13)))
    END AS event_id_ledger_id,
    CASE WHEN {{ is_id }} THEN
        {{ hex_number(32, 32) }} & 3
    END AS event_id_version,
    -- For a column with Event IDs and UUIDs of version 7, which begin with 48 bits of milliseconds. Those of 2000 and
    -- later are greater than the Event IDs of before 3936. They begin with the literal, or are greater.
    CASE WHEN {{ is_id }} THEN id >= x'00DC6ACFAC00'
        AND {{ has_version_7 }}
    END AS event_id_is_uuid7,
    CASE WHEN {{ is_id }} AND id >= x'00DC6ACFAC00'
        AND {{ has_version_7 }}
    THEN strftime('%Y-%m-%d %H:%M:%f', (
        {{ hex_number(1, 12) }}
    ) / 1000.0, 'unixepoch') || '000' ELSE
    {{ time }}
    END AS event_id_or_uuid7_time
FROM ids;

WITH inputs (input) AS (VALUES ('0005cd755a43d79238c05790c0331dd8'), ('0005cd75-5a43-d792-38c0-5790c0331dd8')),
{{ all_bytes }},
texts (input, text) AS MATERIALIZED (
    SELECT input, CASE WHEN typeof(input) = 'text' AND length(input) = 32 AND instr(input, char(0)) = 0
        AND input NOT GLOB '*[^0-9A-Fa-f]*'
        THEN upper(input) END
    FROM inputs
),
-- 128 bits as four numbers of 32 bits, 8 digits each.
numbers (input, n1, n2, n3, n4) AS MATERIALIZED (
    SELECT
        input,
        {{ number(hex, "text", 1, 8, 2) | indent(8) }},
        {{ number(hex, "text", 9, 16, 2) | indent(8) }},
        {{ number(hex, "text", 17, 24, 2) | indent(8) }},
        {{ number(hex, "text", 25, 32, 2) | indent(8) }}
    FROM texts
),
-- The parentheses join pairs: in a UTF-16 database, || cuts an odd number of bytes.
parsed (input, id) AS MATERIALIZED (
    SELECT input, CASE WHEN n1 IS NOT NULL THEN CAST(
        {{ bytes(["n1", "n2", "n3", "n4"], 32, 16) | indent(8) }}
    AS BLOB) END
    FROM numbers, bytes
)
{{ parsed("event_id", time) }}

WITH moments (moment) AS (VALUES ('2024-06-06 06:06:06.666'), ('2024-06-06T08:06:06+02:00')),
{{ all_bytes }},
{{ times("micros", 6) }},
-- Up to the year 9999, where SQLite's times end.
heads (moment, millis, head) AS MATERIALIZED (
    SELECT moment, CASE WHEN micros >= 0 THEN micros / 1000 END,
        CASE WHEN micros BETWEEN 0 AND 253402300799999999 THEN CAST(
        {{ bytes(["micros"], 64, 8) | indent(8) }}
    AS BLOB) END
    FROM times, bytes
)
SELECT
    moment,
    CAST(head || x'0000000000000000' AS BLOB) AS event_id_min_at,
    CAST(head || x'FFFFFFFFFFFFFFFF' AS BLOB) AS event_id_max_at,
    {{ uuid7_min_at() }} AS event_id_uuid7_min_at
FROM heads, bytes;
