-- IDs of five specifications in DuckDB: times, bounds of queries by time, text, fields.
--
-- DuckDB 1.4.2 or later. These are macros: there is no extension to install, except icu for times, which DuckDB has or
-- loads by itself. Running this file again changes nothing.
--
-- Column types: SCRU160 BLOB (20 bytes), EUID and Event ID UUID, Ulid-Flake BIGINT, RON UID BLOB (16 bytes).
-- Where a UUID is expected, a BLOB of 16 bytes and the text of a UUID also work, as in `id::UUID`.
--
-- A query by time uses the least and the greatest ID of its ends. DuckDB computes both once, and skips row groups and
-- Parquet row groups that have no such IDs:
--
--     SELECT * FROM orders WHERE id BETWEEN euid_min_at(TIMESTAMPTZ '2024-06-01 00:00:00Z')
--                                       AND euid_max_at(TIMESTAMPTZ '2024-06-30 23:59:59.999Z');
--
-- Times are TIMESTAMPTZ and do not depend on the time zone of the session. Arguments can also be a TIMESTAMP or a DATE,
-- which are in UTC, or a type of seconds, milliseconds or nanoseconds. They are rounded down.
--
-- An ID or a text that the specification does not allow, and a time out of range, is an error. NULL gives NULL.
-- The functions `…_try_parse` and `…_is_valid` have no errors, except of what is not a text, and of a prefix of typed
-- IDs that breaks the rules. Macros that begin with sortid__ are internal: the others call them, and they may change.
--
-- Not possible: new IDs. DuckDB has no cryptographic source of random bits, and a macro has no state.

-- ==== shared ====

-- The arguments of a macro have no types, and DuckDB binds the functions of all branches of a CASE. TRY_CAST binds for
-- every type. typeof() is a constant, so only the branch of the type stays in the query.

-- The end of a message about a text in place of an ID.
CREATE OR REPLACE MACRO sortid__of_text(name) AS
    ', and ' || translate(lower(name), ' -', '__') || '_parse reads texts';

-- An ID in a BLOB, if it has the right size.
CREATE OR REPLACE MACRO sortid__sized(id, size, name) AS
    CASE WHEN typeof(id) NOT IN ('BLOB', '"NULL"')
        THEN error(name || ': expected a BLOB of ' || size || ' bytes, found the type ' || typeof(id)
            || if(typeof(id) = 'VARCHAR', sortid__of_text(name), ''))
        WHEN octet_length(TRY_CAST(id AS BLOB)) = size THEN TRY_CAST(id AS BLOB)
        ELSE error(name || ': expected ' || size || ' bytes, found ' || octet_length(TRY_CAST(id AS BLOB))) END::BLOB;

-- An ID in a UUID, in the text of a UUID, or in a BLOB of 16 bytes.
CREATE OR REPLACE MACRO sortid__uuid(id, name) AS
    CASE WHEN typeof(id) IN ('UUID', '"NULL"') THEN TRY_CAST(id AS UUID)
        WHEN typeof(id) NOT IN ('VARCHAR', 'BLOB')
        THEN error(name || ': expected a UUID, found the type ' || typeof(id))
        WHEN id IS NULL OR TRY_CAST(id AS UUID) IS NOT NULL THEN TRY_CAST(id AS UUID)
        WHEN typeof(id) = 'BLOB'
        THEN error(name || ': expected a UUID or 16 bytes, found ' || octet_length(TRY_CAST(id AS BLOB)) || ' bytes')
        ELSE error(name || ': expected a UUID, found ' || sortid__quote(id) || sortid__of_text(name))
        END::UUID;

-- The integer of a UUID. DuckDB 2.0 can cast the UUID itself, but 1.4 cannot.
CREATE OR REPLACE MACRO sortid__int(uuid) AS uuid::BLOB::BIT::UHUGEINT;

-- Whether an argument is a text, and the text.
CREATE OR REPLACE MACRO sortid__is_text(input) AS
    typeof(input) IN ('VARCHAR', '"NULL"') OR starts_with(typeof(input), 'ENUM(');

CREATE OR REPLACE MACRO sortid__text(input, name) AS
    CASE WHEN sortid__is_text(input) THEN TRY_CAST(input AS VARCHAR)
        ELSE error(name || ': expected a VARCHAR, found the type ' || typeof(input)) END::VARCHAR;

-- A text for a message. Long texts are cut.
CREATE OR REPLACE MACRO sortid__quote(input) AS
    '"' || left(TRY_CAST(input AS VARCHAR), 50) || if(strlen(TRY_CAST(input AS VARCHAR)) > 50, '…', '') || '"';

-- The microseconds since 1970 of a time. DuckDB rounds nanoseconds, and the session's time zone cannot change the
-- fraction of a second: where the microseconds of the nanoseconds differ, it rounded up. 1.4 has no TIMESTAMPTZ_NS.
CREATE OR REPLACE MACRO sortid__rounded(moment) AS
    CASE WHEN typeof(moment) IN ('TIMESTAMP WITH TIME ZONE', 'TIMESTAMPTZ_NS')
        THEN epoch_us(TRY_CAST(moment AS TIMESTAMPTZ)) ELSE epoch_us(TRY_CAST(moment AS TIMESTAMP)) END;

CREATE OR REPLACE MACRO sortid__rounded_down(moment) AS
    CASE WHEN typeof(moment) IN ('TIMESTAMP_NS', 'TIMESTAMPTZ_NS')
        THEN sortid__rounded(moment) - if((sortid__rounded(moment)
            - epoch_ns(TRY_CAST(moment AS TIMESTAMP_NS)) // 1000
            + if(epoch_ns(TRY_CAST(moment AS TIMESTAMP_NS)) % 1000 < 0, 1, 0)) % 1000000 <> 0, 1, 0)
        ELSE sortid__rounded(moment) END;

-- The same for a time from `least` to `greatest`, both in microseconds. The infinite times are out of range, too.
CREATE OR REPLACE MACRO sortid__micros(moment, least, greatest, name) AS
    CASE WHEN typeof(moment) NOT IN ('TIMESTAMP WITH TIME ZONE', 'TIMESTAMP', 'DATE', 'TIMESTAMP_MS', 'TIMESTAMP_S',
            'TIMESTAMP_NS', 'TIMESTAMPTZ_NS', '"NULL"')
        THEN error(name || ': expected a TIMESTAMPTZ, such as TIMESTAMPTZ ''2024-06-01 00:00:00Z'', or a TIMESTAMP or '
            || 'a DATE in UTC, found the type ' || typeof(moment))
        WHEN moment IS NULL OR sortid__rounded_down(moment) BETWEEN least AND greatest
        THEN sortid__rounded_down(moment)
        ELSE error(name || ': expected a time from ' || make_timestamp(least) || ' to ' || make_timestamp(greatest)
            || ' UTC, found ' || TRY_CAST(moment AS VARCHAR)) END;

-- Digits are read and written 16 at a time, as the 16 bytes of one integer. This is 3 times as fast as one by one.

-- The integer of 16 bytes that repeats these digits of hex.
CREATE OR REPLACE MACRO sortid__mask(digits) AS unhex(repeat(digits, 32 // length(digits)))::BIT::UHUGEINT;

-- 1 in each byte of `bytes` that is `least` or greater, 0 in the others. No byte is above 127. Thus the top bit of each
-- byte has the answer after the sum.
CREATE OR REPLACE MACRO sortid__reaches(bytes, least) AS
    ((bytes + sortid__mask('01') * (128 - least)::UHUGEINT) >> 7) & sortid__mask('01');

-- The bytes of a text of 16 ASCII characters.
CREATE OR REPLACE MACRO sortid__ascii(input) AS encode(input)::BIT::UHUGEINT;

-- The reverse.
CREATE OR REPLACE MACRO sortid__unascii(bytes) AS decode(bytes::BIT::BLOB);

-- 80 bits as 5 bits in each byte: splits 16 digits into 2 times 8, then 4, 2 and 1.
CREATE OR REPLACE MACRO sortid__split5(number) AS
    [(n & sortid__mask('001F')) | ((n & sortid__mask('03E0')) << 3)
    FOR n IN [(n & sortid__mask('000003FF')) | ((n & sortid__mask('000FFC00')) << 6)
    FOR n IN [(n & sortid__mask('00000000000FFFFF')) | ((n & sortid__mask('000000FFFFF00000')) << 12)
    FOR n IN [(n & 1099511627775) | ((n >> 40) << 64)
    FOR n IN [number]]]]][1];

-- The reverse: joins 2 digits, then 4, 8 and 16.
CREATE OR REPLACE MACRO sortid__join5(bytes) AS
    [(n & 1099511627775) | ((n >> 64) << 40)
    FOR n IN [(n & sortid__mask('00000000000FFFFF')) | ((n & sortid__mask('000FFFFF00000000')) >> 12)
    FOR n IN [(n & sortid__mask('000003FF')) | ((n & sortid__mask('03FF0000')) >> 6)
    FOR n IN [(n & sortid__mask('001F')) | ((n & sortid__mask('1F00')) >> 3)
    FOR n IN [bytes]]]]][1];

-- 80 bits as 16 digits of Crockford's base 32. In ASCII, 7 characters are between 9 and A. The letters I, L, O and U,
-- left out, would be before the values 18, 20, 22 and 27.
CREATE OR REPLACE MACRO sortid__crockford(number) AS
    [sortid__unascii(d + sortid__mask('30') + sortid__reaches(d, 10) * 7 + sortid__reaches(d, 18)
        + sortid__reaches(d, 20) + sortid__reaches(d, 22) + sortid__reaches(d, 27))
        FOR d IN [sortid__split5(number)]][1];

-- The reverse, for 16 digits in upper case.
CREATE OR REPLACE MACRO sortid__uncrockford(input) AS
    sortid__join5([c - sortid__mask('30') - sortid__reaches(c, ord('A')) * 7 - sortid__reaches(c, ord('I'))
        - sortid__reaches(c, ord('L')) - sortid__reaches(c, ord('O')) - sortid__reaches(c, ord('U'))
        FOR c IN [sortid__ascii(input)]][1]);

-- A UUID of version 7 begins with 48 bits of milliseconds since 1970. The version is in bits 48 to 51, and the variant
-- in bits 64 and 65.
CREATE OR REPLACE MACRO sortid__has_version_7(id) AS
    ((sortid__int(TRY_CAST(id AS UUID)) >> 76) & 15) = 7 AND ((sortid__int(TRY_CAST(id AS UUID)) >> 62) & 3) = 2;

CREATE OR REPLACE MACRO sortid__uuid7_time(id) AS
    make_timestamptz((sortid__int(TRY_CAST(id AS UUID)) >> 80)::BIGINT * 1000);

CREATE OR REPLACE MACRO sortid__uuid7_min_at(moment) AS
    (to_base(sortid__micros(moment, 0, 281474976710655999, 'UUID of version 7') // 1000, 16, 12)
        || repeat('00', 10))::UUID;

-- A prefix of typed IDs and the _ behind it, or an error if the prefix breaks the rules of TypeID.
CREATE OR REPLACE MACRO sortid__prefix(prefix, name) AS
    CASE WHEN NOT regexp_full_match(sortid__text(prefix, name), '[a-z]([a-z_]{0,61}[a-z])?')
        THEN error(name || ': expected a prefix of 1 to 63 characters ''a'' to ''z'' and ''_'', '
            || 'with a letter at both ends, found ' || sortid__quote(prefix))
        ELSE TRY_CAST(prefix AS VARCHAR) || '_' END;

-- What follows the prefix and its _ in a text. Of a text that starts otherwise, the result is an error, or NULL if the
-- prefix is not required. Bytes are compared, because the collation of a column can ignore case.
CREATE OR REPLACE MACRO sortid__after_prefix(prefix, input, is_required, name) AS
    CASE WHEN sortid__text(prefix, name) IS NULL OR sortid__text(input, name) IS NULL THEN NULL
        WHEN encode(left(TRY_CAST(input AS VARCHAR), length(TRY_CAST(prefix AS VARCHAR)) + 1))
            = encode(sortid__prefix(prefix, name))
        THEN substr(TRY_CAST(input AS VARCHAR), length(TRY_CAST(prefix AS VARCHAR)) + 2)
        WHEN is_required
        THEN error(name || ': expected the prefix "' || TRY_CAST(prefix AS VARCHAR) || '_", found '
            || sortid__quote(input)) END::VARCHAR;

-- ==== scru160 ====
-- Bytes 1 to 6: milliseconds since 1970. Bytes 7 and 8: counter. Bytes 9 and 10: random16. Bytes 11 to 20: random80.

-- The integer of the bytes `first` to `last`, at most 7 bytes.
CREATE OR REPLACE MACRO sortid__scru160(id, first, last) AS sortid__sized(id, 20, 'SCRU160')[first:last]::BIT::BIGINT;

CREATE OR REPLACE MACRO scru160_timestamp_ms(id) AS sortid__scru160(id, 1, 6);
COMMENT ON MACRO scru160_timestamp_ms IS 'The time of a SCRU160, in milliseconds since 1970.';

CREATE OR REPLACE MACRO scru160_counter(id) AS sortid__scru160(id, 7, 8);
COMMENT ON MACRO scru160_counter IS 'The counter of a SCRU160, 16 bits.';

CREATE OR REPLACE MACRO scru160_random16(id) AS sortid__scru160(id, 9, 10);
COMMENT ON MACRO scru160_random16 IS 'The random bits after the counter of a SCRU160, 16 bits.';

CREATE OR REPLACE MACRO scru160_random80(id) AS sortid__sized(id, 20, 'SCRU160')[11:20];
COMMENT ON MACRO scru160_random80 IS 'The last random bits of a SCRU160, 10 bytes.';

CREATE OR REPLACE MACRO scru160_time(id) AS make_timestamptz(scru160_timestamp_ms(id) * 1000);
COMMENT ON MACRO scru160_time IS 'The time of a SCRU160, to the millisecond.';

-- 5 bytes are 8 digits of base32hex.
CREATE OR REPLACE MACRO scru160_text(id) AS
    to_base(sortid__scru160(id, 1, 5), 32, 8) || to_base(sortid__scru160(id, 6, 10), 32, 8)
    || to_base(sortid__scru160(id, 11, 15), 32, 8) || to_base(sortid__scru160(id, 16, 20), 32, 8);
COMMENT ON MACRO scru160_text IS 'The text of a SCRU160.';

-- 32 digits of base32hex or 40 of hex.
CREATE OR REPLACE MACRO scru160_is_valid(input) AS
    regexp_full_match(sortid__text(input, 'SCRU160'), '[0-9A-Va-v]{32}|[0-9A-Fa-f]{40}');
COMMENT ON MACRO scru160_is_valid IS 'Whether scru160_parse accepts a text; never an error.';

-- The 10 bytes of 16 digits of base32hex. Between 9 and A are 7 characters in ASCII, between A and a are 32.
CREATE OR REPLACE MACRO sortid__unbase32hex(input) AS
    (sortid__join5([c - sortid__mask('30') - sortid__reaches(c, ord('A')) * 7 - sortid__reaches(c, ord('a')) * 32
        FOR c IN [sortid__ascii(input)]][1])::BIT::BLOB)[7:16];

-- The bytes of a valid text.
CREATE OR REPLACE MACRO sortid__scru160_read(input) AS
    CASE WHEN strlen(TRY_CAST(input AS VARCHAR)) = 40 THEN unhex(TRY_CAST(input AS VARCHAR))
        ELSE sortid__unbase32hex(left(TRY_CAST(input AS VARCHAR), 16))
            || sortid__unbase32hex(right(TRY_CAST(input AS VARCHAR), 16)) END;

CREATE OR REPLACE MACRO scru160_parse(input) AS
    CASE WHEN NOT scru160_is_valid(input)
        THEN error('SCRU160: expected 32 digits of base32hex or 40 of hex, found ' || sortid__quote(input))
        ELSE sortid__scru160_read(input) END;
COMMENT ON MACRO scru160_parse IS 'The SCRU160 of a text; an error if the text is not one.';

CREATE OR REPLACE MACRO scru160_try_parse(input) AS
    CASE WHEN scru160_is_valid(input) THEN sortid__scru160_read(input) END;
COMMENT ON MACRO scru160_try_parse IS 'The SCRU160 of a text; NULL if the text is not one.';

CREATE OR REPLACE MACRO scru160_text_time(input) AS [scru160_time(id) FOR id IN [scru160_parse(input)]][1];
COMMENT ON MACRO scru160_text_time IS
    'The time of the SCRU160 of a text, to the millisecond; an error if the text is not one.';

CREATE OR REPLACE MACRO scru160_typed_text(prefix, id) AS
    CASE WHEN id IS NOT NULL THEN sortid__prefix(prefix, 'SCRU160') || scru160_text(id) END;
COMMENT ON MACRO scru160_typed_text IS 'A prefix, _ and the text of a SCRU160.';

CREATE OR REPLACE MACRO scru160_typed_parse(prefix, input) AS
    [scru160_parse(rest) FOR rest IN [sortid__after_prefix(prefix, input, true, 'SCRU160')]][1];
COMMENT ON MACRO scru160_typed_parse IS 'The SCRU160 of a text with this prefix; an error if the text is not one.';

CREATE OR REPLACE MACRO scru160_typed_try_parse(prefix, input) AS
    [scru160_try_parse(rest) FOR rest IN [sortid__after_prefix(prefix, input, false, 'SCRU160')]][1];
COMMENT ON MACRO scru160_typed_try_parse IS 'The SCRU160 of a text with this prefix; NULL if the text is not one.';

-- The milliseconds of a time as 12 digits of hex.
CREATE OR REPLACE MACRO sortid__scru160_millis(moment) AS
    to_base(sortid__micros(moment, 0, 281474976710655999, 'SCRU160') // 1000, 16, 12);

CREATE OR REPLACE MACRO scru160_min_at(moment) AS unhex(sortid__scru160_millis(moment) || repeat('00', 14));
COMMENT ON MACRO scru160_min_at IS 'The least SCRU160 of the millisecond of a time.';

CREATE OR REPLACE MACRO scru160_max_at(moment) AS unhex(sortid__scru160_millis(moment) || repeat('FF', 14));
COMMENT ON MACRO scru160_max_at IS 'The greatest SCRU160 of the millisecond of a time.';

-- ==== euid ====
-- 45 bits: milliseconds since 1970. 15 bits: random bits above the extension. 4 bits: how many bits the extension has.
-- 32 bits: random high. 32 bits: random low.

CREATE OR REPLACE MACRO sortid__euid_int(id) AS sortid__int(sortid__uuid(id, 'EUID'));

-- The first 64 bits.
CREATE OR REPLACE MACRO sortid__euid_head(id) AS (sortid__euid_int(id) >> 64)::UBIGINT;

CREATE OR REPLACE MACRO euid_timestamp_ms(id) AS (sortid__euid_head(id) >> 19)::BIGINT;
COMMENT ON MACRO euid_timestamp_ms IS 'The time of an EUID, in milliseconds since 1970.';

CREATE OR REPLACE MACRO euid_extension_bits(id) AS (sortid__euid_head(id) & 15)::BIGINT;
COMMENT ON MACRO euid_extension_bits IS 'The number of bits of the extension of an EUID, 0 to 15.';

CREATE OR REPLACE MACRO euid_random_upper(id) AS
    (((sortid__euid_head(id) >> 4) & 32767) >> (sortid__euid_head(id) & 15))::BIGINT;
COMMENT ON MACRO euid_random_upper IS 'The random bits above the extension of an EUID, at most 15 bits.';

-- NULL if the ID has no extension. (1 << bits) - 1 are the bits of the extension.
CREATE OR REPLACE MACRO euid_extension(id) AS
    CASE WHEN euid_extension_bits(id) > 0
        THEN (sortid__euid_head(id) >> 4)::BIGINT & ((1 << euid_extension_bits(id)) - 1) END;
COMMENT ON MACRO euid_extension IS 'The extension of an EUID, at most 15 bits, or NULL if there is none.';

CREATE OR REPLACE MACRO euid_random_high(id) AS ((sortid__euid_int(id) >> 32) & 4294967295)::BIGINT;
COMMENT ON MACRO euid_random_high IS 'The random bits of an EUID that count up within a millisecond, 32 bits.';

CREATE OR REPLACE MACRO euid_random_low(id) AS (sortid__euid_int(id) & 4294967295)::BIGINT;
COMMENT ON MACRO euid_random_low IS 'The last random bits of an EUID, 32 bits.';

-- The remainder of an integer of 128 bits by 127. The remainder of a UBIGINT is faster, and 2^64 mod 127 is 2.
CREATE OR REPLACE MACRO sortid__euid_check(n) AS
    (((n >> 64)::UBIGINT % 127 * 2 + (n & 18446744073709551615)::UBIGINT % 127) % 127)::BIGINT;

CREATE OR REPLACE MACRO euid_check(id) AS sortid__euid_check(sortid__euid_int(id));
COMMENT ON MACRO euid_check IS 'The check in the text of an EUID, 0 to 126.';

CREATE OR REPLACE MACRO euid_time(id) AS make_timestamptz(euid_timestamp_ms(id) * 1000);
COMMENT ON MACRO euid_time IS 'The time of an EUID, to the millisecond.';

-- 16 digits are the first 80 bits; 11 digits are the last 48 and the 7 of the check.
CREATE OR REPLACE MACRO euid_text(id) AS
    sortid__crockford(sortid__euid_int(id) >> 48)
    || right(sortid__crockford(((sortid__euid_int(id) & 281474976710655) << 7) | euid_check(id)::UHUGEINT), 11);
COMMENT ON MACRO euid_text IS 'The text of an EUID.';

-- Whether a text has 27 digits.
CREATE OR REPLACE MACRO sortid__euid_is_text(input) AS
    sortid__is_text(input) AND regexp_full_match(TRY_CAST(input AS VARCHAR), '[0-9A-TV-Za-tv-z]{27}');

-- The parts of a text of 27 digits: 16 are the first 80 bits of the ID; 11 are the last 48, and the 7 of the check.
-- I and L are 1, O is 0.
CREATE OR REPLACE MACRO sortid__euid_parts(input) AS
    [{high: sortid__uncrockford(left(digits, 16)), low: sortid__uncrockford('00000' || right(digits, 11))}
        FOR digits IN [replace(replace(replace(upper(TRY_CAST(input AS VARCHAR)), 'I', '1'), 'L', '1'), 'O', '0')]][1];

-- The integer of the ID.
CREATE OR REPLACE MACRO sortid__euid_read(input) AS
    [(part.high << 48) | (part.low >> 7) FOR part IN [sortid__euid_parts(input)]][1];

-- The check in the text.
CREATE OR REPLACE MACRO sortid__euid_found(input) AS (sortid__euid_parts(input).low & 127)::BIGINT;

-- Whether the check is right. 127 means that the text has no check.
CREATE OR REPLACE MACRO sortid__euid_is_right(input) AS
    [(part.low & 127) IN (127, sortid__euid_check((part.high << 48) | (part.low >> 7)))
        FOR part IN [sortid__euid_parts(input)]][1];

CREATE OR REPLACE MACRO euid_is_valid(input) AS
    CASE WHEN sortid__euid_is_text(input) THEN sortid__euid_is_right(input)
        WHEN sortid__text(input, 'EUID') IS NOT NULL THEN false END;
COMMENT ON MACRO euid_is_valid IS 'Whether euid_parse accepts a text; never an error.';

CREATE OR REPLACE MACRO euid_parse(input) AS
    CASE WHEN NOT sortid__euid_is_text(input)
        THEN error('EUID: expected 27 digits of Crockford''s base 32, found '
            || sortid__quote(sortid__text(input, 'EUID')))
        WHEN NOT sortid__euid_is_right(input)
        THEN error('EUID: expected the check ' || sortid__euid_check(sortid__euid_read(input)) || ', found '
            || sortid__euid_found(input) || ' in ' || sortid__quote(input))
        ELSE sortid__euid_read(input)::BIT::BLOB::UUID END;
COMMENT ON MACRO euid_parse IS 'The EUID of a text; an error if the text is not one.';

CREATE OR REPLACE MACRO euid_try_parse(input) AS
    CASE WHEN euid_is_valid(input) THEN sortid__euid_read(input)::BIT::BLOB::UUID END;
COMMENT ON MACRO euid_try_parse IS 'The EUID of a text; NULL if the text is not one.';

CREATE OR REPLACE MACRO euid_text_time(input) AS [euid_time(id) FOR id IN [euid_parse(input)]][1];
COMMENT ON MACRO euid_text_time IS
    'The time of the EUID of a text, to the millisecond; an error if the text is not one.';

CREATE OR REPLACE MACRO euid_typed_text(prefix, id) AS
    CASE WHEN id IS NOT NULL THEN sortid__prefix(prefix, 'EUID') || euid_text(id) END;
COMMENT ON MACRO euid_typed_text IS 'A prefix, _ and the text of an EUID.';

CREATE OR REPLACE MACRO euid_typed_parse(prefix, input) AS
    [euid_parse(rest) FOR rest IN [sortid__after_prefix(prefix, input, true, 'EUID')]][1];
COMMENT ON MACRO euid_typed_parse IS 'The EUID of a text with this prefix; an error if the text is not one.';

CREATE OR REPLACE MACRO euid_typed_try_parse(prefix, input) AS
    [euid_try_parse(rest) FOR rest IN [sortid__after_prefix(prefix, input, false, 'EUID')]][1];
COMMENT ON MACRO euid_typed_try_parse IS 'The EUID of a text with this prefix; NULL if the text is not one.';

-- The milliseconds of a time.
CREATE OR REPLACE MACRO sortid__euid_millis(moment) AS sortid__micros(moment, 0, 35184372088831999, 'EUID') // 1000;

-- The 3 bits below the milliseconds belong to the same digit of hex.
CREATE OR REPLACE MACRO euid_min_at(moment) AS
    (to_base(sortid__euid_millis(moment) << 3, 16, 12) || repeat('00', 10))::UUID;
COMMENT ON MACRO euid_min_at IS 'The least EUID of the millisecond of a time.';

CREATE OR REPLACE MACRO euid_max_at(moment) AS
    (to_base((sortid__euid_millis(moment) << 3) | 7, 16, 12) || repeat('FF', 10))::UUID;
COMMENT ON MACRO euid_max_at IS 'The greatest EUID of the millisecond of a time.';

-- For a column that has both. A UUID of version 7 begins with 48 bits of milliseconds, an EUID with 45. So those UUIDs
-- of before 2209-12-30 are less than the EUIDs of 2000 and later. The literal is the least EUID of 2000.
CREATE OR REPLACE MACRO euid_is_uuid7(id) AS
    sortid__uuid(id, 'EUID') < '06e3567d-6000-0000-0000-000000000000'::UUID AND sortid__has_version_7(id);
COMMENT ON MACRO euid_is_uuid7 IS 'Whether an ID of a column with EUIDs and UUIDs of version 7 is such a UUID.';

CREATE OR REPLACE MACRO euid_or_uuid7_time(id) AS
    CASE WHEN euid_is_uuid7(id) THEN sortid__uuid7_time(id) ELSE euid_time(id) END;
COMMENT ON MACRO euid_or_uuid7_time IS 'The time of an EUID or of a UUID of version 7, to the millisecond.';

-- Two ranges, so that DuckDB skips row groups without such IDs.
CREATE OR REPLACE MACRO euid_or_uuid7_within(id, since, before) AS
    (sortid__uuid(id, 'EUID') >= euid_min_at(since) AND TRY_CAST(id AS UUID) < euid_min_at(before)
        AND NOT euid_is_uuid7(id))
    OR (TRY_CAST(id AS UUID) >= sortid__uuid7_min_at(since) AND TRY_CAST(id AS UUID) < sortid__uuid7_min_at(before)
        AND euid_is_uuid7(id));
COMMENT ON MACRO euid_or_uuid7_within IS
    'Whether the time of an EUID or of a UUID of version 7 is in a span, whose end does not belong to it.';

-- ==== ulid_flake ====
-- 1 bit: 0. 43 bits: milliseconds since 2024. 20 bits: randomness. In the scalable version, the last 5 of these are the
-- scalability.

-- An ID that is not negative. DuckDB would round other numbers.
CREATE OR REPLACE MACRO sortid__ulid_flake(id) AS
    CASE WHEN NOT regexp_full_match(typeof(id), 'U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|"NULL"')
        THEN error('Ulid-Flake: expected a BIGINT, found the type ' || typeof(id)
            || if(typeof(id) = 'VARCHAR', sortid__of_text('Ulid-Flake'), ''))
        WHEN TRY_CAST(id AS BIGINT) >= 0 THEN TRY_CAST(id AS BIGINT)
        ELSE error('Ulid-Flake: expected an integer from 0 to 9223372036854775807, found '
            || TRY_CAST(id AS VARCHAR)) END::BIGINT;

CREATE OR REPLACE MACRO ulid_flake_timestamp_ms(id) AS sortid__ulid_flake(id) >> 20;
COMMENT ON MACRO ulid_flake_timestamp_ms IS 'The time of a Ulid-Flake, in milliseconds since 2024.';

CREATE OR REPLACE MACRO ulid_flake_randomness(id) AS sortid__ulid_flake(id) & 1048575;
COMMENT ON MACRO ulid_flake_randomness IS 'The random bits of a Ulid-Flake, 20 bits.';

CREATE OR REPLACE MACRO ulid_flake_scalable_randomness(id) AS (sortid__ulid_flake(id) >> 5) & 32767;
COMMENT ON MACRO ulid_flake_scalable_randomness IS 'The random bits of a Ulid-Flake of the scalable version, 15 bits.';

CREATE OR REPLACE MACRO ulid_flake_scalability(id) AS sortid__ulid_flake(id) & 31;
COMMENT ON MACRO ulid_flake_scalability IS 'The scalability of a Ulid-Flake of the scalable version, 5 bits.';

CREATE OR REPLACE MACRO ulid_flake_time(id) AS make_timestamptz((1704067200000 + ulid_flake_timestamp_ms(id)) * 1000);
COMMENT ON MACRO ulid_flake_time IS 'The time of a Ulid-Flake, to the millisecond.';

CREATE OR REPLACE MACRO ulid_flake_text(id) AS right(sortid__crockford(sortid__ulid_flake(id)::UHUGEINT), 13);
COMMENT ON MACRO ulid_flake_text IS 'The text of a Ulid-Flake.';

CREATE OR REPLACE MACRO ulid_flake_is_valid(input) AS
    regexp_full_match(sortid__text(input, 'Ulid-Flake'), '[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}');
COMMENT ON MACRO ulid_flake_is_valid IS 'Whether ulid_flake_parse accepts a text; never an error.';

CREATE OR REPLACE MACRO ulid_flake_parse(input) AS
    CASE WHEN NOT ulid_flake_is_valid(input)
        THEN error('Ulid-Flake: expected 13 digits of Crockford''s base 32, not above 7ZZZZZZZZZZZZ, found '
            || sortid__quote(input))
        ELSE sortid__uncrockford('000' || upper(TRY_CAST(input AS VARCHAR)))::BIGINT END;
COMMENT ON MACRO ulid_flake_parse IS 'The Ulid-Flake of a text; an error if the text is not one.';

CREATE OR REPLACE MACRO ulid_flake_try_parse(input) AS
    CASE WHEN ulid_flake_is_valid(input)
        THEN sortid__uncrockford('000' || upper(TRY_CAST(input AS VARCHAR)))::BIGINT END;
COMMENT ON MACRO ulid_flake_try_parse IS 'The Ulid-Flake of a text; NULL if the text is not one.';

CREATE OR REPLACE MACRO ulid_flake_text_time(input) AS [ulid_flake_time(id) FOR id IN [ulid_flake_parse(input)]][1];
COMMENT ON MACRO ulid_flake_text_time IS
    'The time of the Ulid-Flake of a text, to the millisecond; an error if the text is not one.';

CREATE OR REPLACE MACRO ulid_flake_typed_text(prefix, id) AS
    CASE WHEN id IS NOT NULL THEN sortid__prefix(prefix, 'Ulid-Flake') || ulid_flake_text(id) END;
COMMENT ON MACRO ulid_flake_typed_text IS 'A prefix, _ and the text of a Ulid-Flake.';

CREATE OR REPLACE MACRO ulid_flake_typed_parse(prefix, input) AS
    [ulid_flake_parse(rest) FOR rest IN [sortid__after_prefix(prefix, input, true, 'Ulid-Flake')]][1];
COMMENT ON MACRO ulid_flake_typed_parse IS
    'The Ulid-Flake of a text with this prefix; an error if the text is not one.';

CREATE OR REPLACE MACRO ulid_flake_typed_try_parse(prefix, input) AS
    [ulid_flake_try_parse(rest) FOR rest IN [sortid__after_prefix(prefix, input, false, 'Ulid-Flake')]][1];
COMMENT ON MACRO ulid_flake_typed_try_parse IS
    'The Ulid-Flake of a text with this prefix; NULL if the text is not one.';

-- The milliseconds since 2024 of a time.
CREATE OR REPLACE MACRO sortid__ulid_flake_millis(moment) AS
    sortid__micros(moment, 1704067200000000, 10500160222207999, 'Ulid-Flake') // 1000 - 1704067200000;

CREATE OR REPLACE MACRO ulid_flake_min_at(moment) AS sortid__ulid_flake_millis(moment) << 20;
COMMENT ON MACRO ulid_flake_min_at IS 'The least Ulid-Flake of the millisecond of a time.';

CREATE OR REPLACE MACRO ulid_flake_max_at(moment) AS (sortid__ulid_flake_millis(moment) << 20) | 1048575;
COMMENT ON MACRO ulid_flake_max_at IS 'The greatest Ulid-Flake of the millisecond of a time.';

-- ==== ron_uid ====
-- Bytes 1 to 8: value, 60 bits. Bytes 9 to 16: scheme, 2 bits, above the origin, 60 bits. The upper bits are 0.

-- The integer of the bytes.
CREATE OR REPLACE MACRO sortid__ron_uid(id) AS
    [CASE WHEN (n >> 124) = 0 AND ((n >> 62) & 3) = 0 THEN n
        ELSE error('RON UID: expected 0 in the upper 4 bits of byte 1 and the upper 2 bits of byte 9, found '
            || lower(hex(n::BIT::BLOB))) END
        FOR n IN [sortid__sized(id, 16, 'RON UID')::BIT::UHUGEINT]][1];

CREATE OR REPLACE MACRO ron_uid_value_int(id) AS (sortid__ron_uid(id) >> 64)::BIGINT;
COMMENT ON MACRO ron_uid_value_int IS 'The value of a RON UID, 60 bits.';

CREATE OR REPLACE MACRO ron_uid_origin_int(id) AS (sortid__ron_uid(id) & 1152921504606846975)::BIGINT;
COMMENT ON MACRO ron_uid_origin_int IS 'The origin of a RON UID, 60 bits.';

CREATE OR REPLACE MACRO ron_uid_scheme(id) AS
    ['name', 'hash', 'event', 'derived'][1 + ((sortid__ron_uid(id) >> 60) & 3)::BIGINT];
COMMENT ON MACRO ron_uid_scheme IS 'The scheme of a RON UID: name, hash, event or derived.';

-- The 10 digits of an integer of 60 bits without the zeros at the end: '' for 0. Splits 10 digits into 2 and 8, then 4,
-- 2 and 1. In ASCII, the digits are 0 to 9, 7 other characters, A to Z, 4 others, _, 1 other, a to z, 3 others, and ~.
CREATE OR REPLACE MACRO sortid__base64x64(number) AS
    [rtrim(right(sortid__unascii(d + sortid__mask('30') + sortid__reaches(d, 10) * 7 + sortid__reaches(d, 36) * 4
        + sortid__reaches(d, 37) + sortid__reaches(d, 63) * 3), 10), '0')
    FOR d IN [(n & sortid__mask('003F')) | ((n & sortid__mask('0FC0')) << 2)
    FOR n IN [(n & sortid__mask('00000FFF')) | ((n & sortid__mask('00FFF000')) << 4)
    FOR n IN [(n & sortid__mask('0000000000FFFFFF')) | ((n & sortid__mask('0000FFFFFF000000')) << 8)
    FOR n IN [(n & 281474976710655) | ((n >> 48) << 64)
    FOR n IN [number::UHUGEINT]]]]]][1];

-- The reverse, for 10 digits.
CREATE OR REPLACE MACRO sortid__unbase64x64(input) AS
    [((n & 281474976710655) | ((n >> 64) << 48))::BIGINT
    FOR n IN [(n & sortid__mask('0000000000FFFFFF')) | ((n & sortid__mask('00FFFFFF00000000')) >> 8)
    FOR n IN [(n & sortid__mask('00000FFF')) | ((n & sortid__mask('0FFF0000')) >> 4)
    FOR n IN [(n & sortid__mask('003F')) | ((n & sortid__mask('3F00')) >> 2)
    FOR n IN [c - sortid__mask('30') - sortid__reaches(c, ord('A')) * 7 - sortid__reaches(c, ord('_')) * 4
        - sortid__reaches(c, ord('a')) - sortid__reaches(c, ord('~')) * 3
    FOR c IN [sortid__ascii('000000' || input)]]]]]][1];

CREATE OR REPLACE MACRO ron_uid_value(id) AS
    [digits || if(digits = '', '0', '') FOR digits IN [sortid__base64x64(ron_uid_value_int(id))]][1];
COMMENT ON MACRO ron_uid_value IS 'The value of a RON UID, as up to 10 digits.';

CREATE OR REPLACE MACRO ron_uid_origin(id) AS
    [digits || if(digits = '', '0', '') FOR digits IN [sortid__base64x64(ron_uid_origin_int(id))]][1];
COMMENT ON MACRO ron_uid_origin IS 'The origin of a RON UID, as up to 10 digits.';

-- Without an origin, names are the value alone, and so are the events 0, ~ and ~~~~~~~~~~.
CREATE OR REPLACE MACRO ron_uid_text(id) AS
    [if(uid.value = '' AND uid.origin = '', '0', uid.value)
        || if(uid.origin = '' AND uid.sign = if(uid.value IN ('', '~', '~~~~~~~~~~'), '-', '$'), '',
            uid.sign || uid.origin)
        FOR uid IN [{value: sortid__base64x64(ron_uid_value_int(id)),
            sign: ['$', '%', '-', '+'][1 + ((sortid__ron_uid(id) >> 60) & 3)::BIGINT],
            origin: sortid__base64x64(ron_uid_origin_int(id))}]][1];
COMMENT ON MACRO ron_uid_text IS 'The text of a RON UID.';

-- The parts of a value that is a time have 6 bits each, months and milliseconds 12: months since 2010, day of the month
-- from 0 on, hour, minute, second, milliseconds, sequence. From month 4032 on (January 2346), values are not times.
-- Names and hashes have no time, which the scheme below 2 tells.
CREATE OR REPLACE MACRO ron_uid_time(id) AS
    [CASE WHEN (v >> 48) < 4032 AND ((v >> 36) & 63) < 24 AND ((v >> 30) & 63) < 60 AND ((v >> 24) & 63) < 60
            AND ((v >> 12) & 4095) < 1000
            AND ((v >> 42) & 63) < day(last_day(make_date(2010 + (v >> 48) // 12, (v >> 48) % 12 + 1, 1)))
        THEN make_timestamptz(epoch_us(make_date(2010 + (v >> 48) // 12, (v >> 48) % 12 + 1, 1))
            + ((v >> 42) & 63) * 86400000000 + ((v >> 36) & 63) * 3600000000 + ((v >> 30) & 63) * 60000000
            + ((v >> 24) & 63) * 1000000 + ((v >> 12) & 4095) * 1000) END
        FOR v IN [CASE WHEN ((n >> 60) & 3) >= 2 THEN (n >> 64)::BIGINT END FOR n IN [sortid__ron_uid(id)]]][1];
COMMENT ON MACRO ron_uid_time IS
    'The time of a RON UID, to the millisecond; NULL of a name, a hash, or a value that is not a date.';

-- Digits alone are a name, or one of the events 0, ~ and ~~~~~~~~~~. The text leaves out an origin of 0 if it has to
-- have a sign, and a value of 0 if the origin is not 0.
CREATE OR REPLACE MACRO ron_uid_is_valid(input) AS regexp_full_match(sortid__text(input, 'RON UID'),
    '[_~0-9A-Za-z]{1,10}([-+%]|[-+$%][_~0-9A-Za-z]{1,10})?|(0{1,10}|~0{0,9}|~{10})[$]|[-+$%][_~0-9A-Za-z]{1,10}')
    AND NOT regexp_full_match(sortid__text(input, 'RON UID'), '(0+|~0*|~{10})-|[-+$%]0+');
COMMENT ON MACRO ron_uid_is_valid IS 'Whether ron_uid_parse accepts a text; never an error.';

-- The bytes of a text whose form is right. Digits without a sign are a name, except 0, ~ and ~~~~~~~~~~.
CREATE OR REPLACE MACRO sortid__ron_uid_read(input) AS
    [((uid.value::UHUGEINT << 64) | (uid.origin::UHUGEINT)
        | (CASE WHEN uid.sign <> '' THEN instr('$%-+', uid.sign) - 1
            WHEN uid.value NOT IN (0, 1134907106097364992, 1152921504606846975) THEN 0
            ELSE 2 END::UHUGEINT << 60))::BIT::BLOB
        FOR uid IN [{value: sortid__unbase64x64(rpad(part.value, 10, '0')), sign: part.sign,
            origin: sortid__unbase64x64(rpad(part.origin, 10, '0'))}
        FOR part IN [regexp_extract(TRY_CAST(input AS VARCHAR),
            '^([_~0-9A-Za-z]*)([-+$%]?)(.*)$', ['value', 'sign', 'origin'])]]][1];

CREATE OR REPLACE MACRO ron_uid_parse(input) AS
    CASE WHEN ron_uid_is_valid(input) THEN sortid__ron_uid_read(input)
        ELSE error('RON UID: expected a value, a sign (- + $ %) and an origin, of at most 10 digits of Base64x64 each, '
            || 'found ' || sortid__quote(input)) END;
COMMENT ON MACRO ron_uid_parse IS 'The RON UID of a text; an error if the text is not one.';

CREATE OR REPLACE MACRO ron_uid_try_parse(input) AS
    CASE WHEN ron_uid_is_valid(input) THEN sortid__ron_uid_read(input) END;
COMMENT ON MACRO ron_uid_try_parse IS 'The RON UID of a text; NULL if the text is not one.';

CREATE OR REPLACE MACRO ron_uid_text_time(input) AS [ron_uid_time(id) FOR id IN [ron_uid_parse(input)]][1];
COMMENT ON MACRO ron_uid_text_time IS
    'The time of the RON UID of a text, to the millisecond; an error if the text is not one.';

CREATE OR REPLACE MACRO ron_uid_typed_text(prefix, id) AS
    CASE WHEN id IS NOT NULL THEN sortid__prefix(prefix, 'RON UID') || ron_uid_text(id) END;
COMMENT ON MACRO ron_uid_typed_text IS 'A prefix, _ and the text of a RON UID.';

CREATE OR REPLACE MACRO ron_uid_typed_parse(prefix, input) AS
    [ron_uid_parse(rest) FOR rest IN [sortid__after_prefix(prefix, input, true, 'RON UID')]][1];
COMMENT ON MACRO ron_uid_typed_parse IS 'The RON UID of a text with this prefix; an error if the text is not one.';

CREATE OR REPLACE MACRO ron_uid_typed_try_parse(prefix, input) AS
    [ron_uid_try_parse(rest) FOR rest IN [sortid__after_prefix(prefix, input, false, 'RON UID')]][1];
COMMENT ON MACRO ron_uid_typed_try_parse IS 'The RON UID of a text with this prefix; NULL if the text is not one.';

-- The value of a time of DuckDB's, with the sequence 0.
CREATE OR REPLACE MACRO sortid__ron_uid_calendar(t) AS
    (((year(t) - 2010) * 12 + month(t) - 1) << 48) | ((day(t) - 1) << 42) | (hour(t) << 36) | (minute(t) << 30)
    | (second(t) << 24) | ((millisecond(t) % 1000) << 12);

-- The value of a time in a range, as 16 digits of hex.
CREATE OR REPLACE MACRO sortid__ron_uid_at(moment, sequence) AS
    to_base(sortid__ron_uid_calendar(make_timestamp(
        sortid__micros(moment, 1262304000000000, 11865398399999999, 'RON UID'))) | sequence, 16, 16);

-- An event with the sequence 0 and the origin 0.
CREATE OR REPLACE MACRO ron_uid_min_at(moment) AS unhex(sortid__ron_uid_at(moment, 0) || '2' || repeat('0', 15));
COMMENT ON MACRO ron_uid_min_at IS 'The least RON UID of the millisecond of a time.';

-- A derived UID with the greatest sequence and the greatest origin.
CREATE OR REPLACE MACRO ron_uid_max_at(moment) AS unhex(sortid__ron_uid_at(moment, 4095) || '3' || repeat('F', 15));
COMMENT ON MACRO ron_uid_max_at IS 'The greatest RON UID of the millisecond of a time.';

-- ==== event_id ====
-- 64 bits: microseconds since 1970. 32 bits: checksum. 32 bits: ledger ID, of which the last 2 are the version.

CREATE OR REPLACE MACRO sortid__event_id_int(id) AS sortid__int(sortid__uuid(id, 'Event ID'));

CREATE OR REPLACE MACRO event_id_timestamp_us(id) AS (sortid__event_id_int(id) >> 64)::UBIGINT;
COMMENT ON MACRO event_id_timestamp_us IS 'The time of an Event ID, in microseconds since 1970.';

CREATE OR REPLACE MACRO event_id_text(id) AS lower(hex(sortid__uuid(id, 'Event ID')::BLOB));
COMMENT ON MACRO event_id_text IS 'The text of an Event ID.';

CREATE OR REPLACE MACRO event_id_checksum(id) AS substr(event_id_text(id), 17, 8);
COMMENT ON MACRO event_id_checksum IS 'The checksum of an Event ID, as 8 hex digits.';

CREATE OR REPLACE MACRO event_id_ledger_id(id) AS substr(event_id_text(id), 25, 8);
COMMENT ON MACRO event_id_ledger_id IS 'The ledger ID of an Event ID, as 8 hex digits.';

CREATE OR REPLACE MACRO event_id_version(id) AS (sortid__event_id_int(id) & 3)::BIGINT;
COMMENT ON MACRO event_id_version IS 'The version of the ledger ID of an Event ID, 0 to 3.';

-- The last time of DuckDB is 2 less than 2^63 microseconds.
CREATE OR REPLACE MACRO event_id_time(id) AS
    CASE WHEN event_id_timestamp_us(id) <= 9223372036854775806 THEN make_timestamptz(event_id_timestamp_us(id)::BIGINT)
        ELSE error('Event ID: expected at most 9223372036854775806 microseconds, the last time that DuckDB has, found '
            || event_id_timestamp_us(id)) END;
COMMENT ON MACRO event_id_time IS 'The time of an Event ID, to the microsecond.';

CREATE OR REPLACE MACRO event_id_is_valid(input) AS
    regexp_full_match(sortid__text(input, 'Event ID'), '[0-9A-Fa-f]{32}');
COMMENT ON MACRO event_id_is_valid IS 'Whether event_id_parse accepts a text; never an error.';

CREATE OR REPLACE MACRO event_id_parse(input) AS
    CASE WHEN event_id_is_valid(input) THEN TRY_CAST(input AS UUID)
        ELSE error('Event ID: expected 32 digits of hex, found ' || sortid__quote(input)) END;
COMMENT ON MACRO event_id_parse IS 'The Event ID of a text; an error if the text is not one.';

CREATE OR REPLACE MACRO event_id_try_parse(input) AS
    CASE WHEN event_id_is_valid(input) THEN TRY_CAST(input AS UUID) END;
COMMENT ON MACRO event_id_try_parse IS 'The Event ID of a text; NULL if the text is not one.';

CREATE OR REPLACE MACRO event_id_text_time(input) AS [event_id_time(id) FOR id IN [event_id_parse(input)]][1];
COMMENT ON MACRO event_id_text_time IS
    'The time of the Event ID of a text, to the microsecond; an error if the text is not one.';

CREATE OR REPLACE MACRO event_id_typed_text(prefix, id) AS
    CASE WHEN id IS NOT NULL THEN sortid__prefix(prefix, 'Event ID') || event_id_text(id) END;
COMMENT ON MACRO event_id_typed_text IS 'A prefix, _ and the text of an Event ID.';

CREATE OR REPLACE MACRO event_id_typed_parse(prefix, input) AS
    [event_id_parse(rest) FOR rest IN [sortid__after_prefix(prefix, input, true, 'Event ID')]][1];
COMMENT ON MACRO event_id_typed_parse IS 'The Event ID of a text with this prefix; an error if the text is not one.';

CREATE OR REPLACE MACRO event_id_typed_try_parse(prefix, input) AS
    [event_id_try_parse(rest) FOR rest IN [sortid__after_prefix(prefix, input, false, 'Event ID')]][1];
COMMENT ON MACRO event_id_typed_try_parse IS 'The Event ID of a text with this prefix; NULL if the text is not one.';

-- The microseconds of a time as 16 digits of hex.
CREATE OR REPLACE MACRO sortid__event_id_micros(moment) AS
    to_base(sortid__micros(moment, 0, 9223372036854775806, 'Event ID'), 16, 16);

CREATE OR REPLACE MACRO event_id_min_at(moment) AS (sortid__event_id_micros(moment) || repeat('0', 16))::UUID;
COMMENT ON MACRO event_id_min_at IS 'The least Event ID of the microsecond of a time.';

CREATE OR REPLACE MACRO event_id_max_at(moment) AS (sortid__event_id_micros(moment) || repeat('F', 16))::UUID;
COMMENT ON MACRO event_id_max_at IS 'The greatest Event ID of the microsecond of a time.';

-- For a column that has both. A UUID of version 7 begins with 48 bits of milliseconds, an Event ID with 64 of
-- microseconds. So those UUIDs of 2000 and later are greater than the Event IDs of before 3936. The literal is the
-- least such UUID.
CREATE OR REPLACE MACRO event_id_is_uuid7(id) AS
    sortid__uuid(id, 'Event ID') >= '00dc6acf-ac00-0000-0000-000000000000'::UUID
    AND sortid__has_version_7(id);
COMMENT ON MACRO event_id_is_uuid7 IS 'Whether an ID of a column with Event IDs and UUIDs of version 7 is such a UUID.';

CREATE OR REPLACE MACRO event_id_or_uuid7_time(id) AS
    CASE WHEN event_id_is_uuid7(id) THEN sortid__uuid7_time(id) ELSE event_id_time(id) END;
COMMENT ON MACRO event_id_or_uuid7_time IS
    'The time of an Event ID, to the microsecond, or of a UUID of version 7, to the millisecond.';

-- Two ranges, so that DuckDB skips row groups without such IDs.
CREATE OR REPLACE MACRO event_id_or_uuid7_within(id, since, before) AS
    (sortid__uuid(id, 'Event ID') >= event_id_min_at(since) AND TRY_CAST(id AS UUID) < event_id_min_at(before)
        AND NOT event_id_is_uuid7(id))
    OR (TRY_CAST(id AS UUID) >= sortid__uuid7_min_at(since) AND TRY_CAST(id AS UUID) < sortid__uuid7_min_at(before)
        AND event_id_is_uuid7(id));
COMMENT ON MACRO event_id_or_uuid7_within IS
    'Whether the time of an Event ID or of a UUID of version 7 is in a span, whose end does not belong to it.';
