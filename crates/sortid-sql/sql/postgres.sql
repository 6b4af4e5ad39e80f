-- Functions for time-sortable IDs in PostgreSQL 14 and later. They need no extension, and no right but CREATE in a
-- schema.
--
-- Columns:  SCRU160 bytea, EUID uuid, Ulid-Flake bigint, RON UID bytea, Event ID uuid.
-- By time:  SELECT … WHERE id >= euid_min_at('2024-06-01Z') AND id < euid_min_at('2024-07-01Z')
--           uses the index of id, and leaves out partitions by id.
--
-- Functions that begin with sortid__ are internal: the others call them, and they may change. Those in PL/pgSQL have a
-- search_path of their own, and those in SQL are parsed when they are created, so no search_path changes what they do.
--
-- All functions but those named …_new are IMMUTABLE and PARALLEL SAFE, so generated columns, indexes and bounds of
-- partitions may use them. NULL gives NULL. Most functions are single expressions, which the planner puts into the
-- query. It does not do so if the function is STRICT and the expression has CASE or AND, so those are not STRICT.
--
-- Wrong input is an error, except of try_parse and is_valid. The prefix of a typed ID has to be right there, too. A RON
-- UID without a time (a name, a hash, or a value that is not a date) has the time NULL.

-- ==== shared ====

-- Raises an error. Only the branch of a CASE for wrong IDs calls it, so the planner must not count more for it.
CREATE OR REPLACE FUNCTION sortid__fail(message text) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1 SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'invalid_parameter_value', MESSAGE = message;
END $$;

-- 0, or an error with the message. The message has to contain the ID: PostgreSQL calls functions of constants when it
-- plans a query.
CREATE OR REPLACE FUNCTION sortid__check(is_right boolean, message text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN NOT is_right THEN sortid__fail(message) ELSE 0 END;

-- 0, or an error if the ID does not have this number of bytes.
CREATE OR REPLACE FUNCTION sortid__check_length(id bytea, bytes integer, name text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN length(id) <> bytes
        THEN sortid__fail('expected ' || bytes::text || ' bytes of a ' || name || ', found ' || length(id)::text)
        ELSE 0 END;

-- The integer of three bytes.
CREATE OR REPLACE FUNCTION sortid__int24(a integer, b integer, c integer) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (a << 16) | (b << 8) | c;

-- The integer of four bytes.
CREATE OR REPLACE FUNCTION sortid__int32(a integer, b integer, c integer, d integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (a::bigint << 24) | (b << 16) | (c << 8) | d;

-- The integer of eight bytes at a place, counted from 1.
CREATE OR REPLACE FUNCTION sortid__int64(bytes bytea, place integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ('x' || encode(substr(bytes, place, 8), 'hex'))::bit(64)::bigint;

-- A time after 1970 in two parts, such as the upper and the lower half of a count. PostgreSQL multiplies intervals as
-- floating-point numbers: each product here is exact, and that of the whole count would not be.
CREATE OR REPLACE FUNCTION sortid__time(high bigint, unit_of_high interval, low bigint, unit_of_low interval)
    RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (timestamp 'epoch' + high * unit_of_high + low * unit_of_low) AT TIME ZONE 'UTC';

-- Five bytes as eight digits of 5 bits. The eight characters are the bytes of one bigint.
CREATE OR REPLACE FUNCTION sortid__base32(alphabet bytea, a integer, b integer, c integer, d integer, e integer)
    RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN encode(int8send(((((((((((((((get_byte(alphabet, a >> 3)::bigint
        << 8) + get_byte(alphabet, ((a & 7) << 2) | (b >> 6)))
        << 8) + get_byte(alphabet, (b >> 1) & 31))
        << 8) + get_byte(alphabet, ((b & 1) << 4) | (c >> 4)))
        << 8) + get_byte(alphabet, ((c & 15) << 1) | (d >> 7)))
        << 8) + get_byte(alphabet, (d >> 2) & 31))
        << 8) + get_byte(alphabet, ((d & 3) << 3) | (e >> 5)))
        << 8) + get_byte(alphabet, e & 31))), 'escape');

-- The bytes of some zeros and a text of digits of 5 bits, filled up with zeros to a multiple of 5 bytes. digits has the
-- characters that are allowed, as in a regular expression, and vals the value of each character from 0 (48) to DEL
-- (127). An error says what was expected. If that is empty, the result is NULL instead of an error.
CREATE OR REPLACE FUNCTION sortid__from_base32(
    input text, zeros integer, count integer, digits text, vals bytea, expected text)
    RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    padded bytea;
    bytes bytea := '';
BEGIN
    IF length(input) <> count OR input COLLATE "C" !~ ('^[' || digits || ']*$') THEN
        IF expected = '' THEN
            RETURN NULL;
        END IF;
        RAISE EXCEPTION USING ERRCODE = 'invalid_text_representation',
            MESSAGE = format('expected %s, found %s: %L', expected, CASE WHEN length(input) <> count
                THEN 'a text of length ' || length(input)
                ELSE format('the character %L', substring(input COLLATE "C" FROM '[^' || digits || ']')) END,
                left(input, 60));
    END IF;
    padded := decode(repeat('0', zeros) || input || repeat('0', -(zeros + count) & 7), 'escape');
    FOR i IN 0 .. zeros + count - 1 BY 8 LOOP
        bytes := bytes || substr(int8send(((((((((((((((get_byte(vals, get_byte(padded, i) - 48)::bigint
            << 5) + get_byte(vals, get_byte(padded, i + 1) - 48))
            << 5) + get_byte(vals, get_byte(padded, i + 2) - 48))
            << 5) + get_byte(vals, get_byte(padded, i + 3) - 48))
            << 5) + get_byte(vals, get_byte(padded, i + 4) - 48))
            << 5) + get_byte(vals, get_byte(padded, i + 5) - 48))
            << 5) + get_byte(vals, get_byte(padded, i + 6) - 48))
            << 5) + get_byte(vals, get_byte(padded, i + 7) - 48))), 4);
    END LOOP;
    RETURN bytes;
END $$;

-- Raises an error. The cost tells the planner that a bound is worth an index, which needs it once.
CREATE OR REPLACE FUNCTION sortid__no_time(moment timestamptz, first timestamptz, last timestamptz, name text)
    RETURNS bigint LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 100 SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'datetime_field_overflow',
        MESSAGE = format('expected a time that %s can have, from %s to %s UTC, found %s in UTC', name,
            to_char(first AT TIME ZONE 'UTC', 'YYYY-MM-DD'), to_char(last AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'),
            moment AT TIME ZONE 'UTC');
END $$;

-- The microseconds since 1970 of a moment, or an error if the specification has no such time. A scan without an index
-- computes a bound that is not constant for each row, so this is an expression, and the microseconds since 2000 are
-- those that PostgreSQL has: extract() would take five times as long.
CREATE OR REPLACE FUNCTION sortid__micros(moment timestamptz, first timestamptz, last timestamptz, name text)
    RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN moment BETWEEN first AND last
        THEN sortid__int64(timestamptz_send(moment), 1) + 946684800000000
        ELSE sortid__no_time(moment, first, last, name) END;

-- The time and the least ID of a UUID of version 7, which begins with 48 bits of Unix time in ms.
CREATE OR REPLACE FUNCTION sortid__uuid7_time(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sortid__time(
        sortid__int24(get_byte(uuid_send(id), 0), get_byte(uuid_send(id), 1), get_byte(uuid_send(id), 2)),
        '16777.216 s',
        sortid__int24(get_byte(uuid_send(id), 3), get_byte(uuid_send(id), 4), get_byte(uuid_send(id), 5)), '1 ms');

-- Whether the bits of the version and of the variant are those of version 7. With AND, the planner would expect that
-- one row in 40 000 has them.
CREATE OR REPLACE FUNCTION sortid__has_version_7(id uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN get_byte(uuid_send(id), 6) >> 4 <> 7 THEN false ELSE get_byte(uuid_send(id), 8) >> 6 = 2 END;

-- With the bits of the version: of 1970, the planner would join the range of these UUIDs with that of the other IDs, if
-- both began with the UUID 0.
CREATE OR REPLACE FUNCTION sortid__uuid7_min_at(moment timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN encode(substr(int8send(sortid__micros(
            moment, '1970-01-01Z', '10889-08-02 05:31:50.655999Z', 'a UUID of version 7') / 1000), 3)
        || '\x70008000000000000000'::bytea, 'hex')::uuid;

-- The time of the next millisecond. The sum of a timestamptz and an interval would depend on the time zone.
CREATE OR REPLACE FUNCTION sortid__next_milli(moment timestamptz) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (moment AT TIME ZONE 'UTC' + interval '1 ms') AT TIME ZONE 'UTC';

-- A prefix of typed IDs and the _ behind it, or an error if the prefix breaks the rules of TypeID.
CREATE OR REPLACE FUNCTION sortid__prefix(prefix text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN prefix COLLATE "C" !~ '^[a-z](?:[a-z_]{0,61}[a-z])?$'
        THEN repeat('', sortid__fail('expected a prefix of 1 to 63 characters ''a'' to ''z'' and ''_'', '
            'with a letter at both ends, found ' || quote_literal(left(prefix, 80))))
        ELSE prefix || '_' END;

-- What follows the prefix and its _ in a text. Of a text that starts otherwise, the result is an error, or NULL if the
-- prefix is not required.
CREATE OR REPLACE FUNCTION sortid__after_prefix(prefix text, input text, is_required boolean) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN prefix IS NULL OR input IS NULL THEN NULL
        WHEN starts_with(input COLLATE "C", sortid__prefix(prefix)) THEN substr(input, length(prefix) + 2)
        WHEN is_required THEN repeat('', sortid__fail('expected the prefix ' || quote_literal(prefix || '_')
            || ', found ' || quote_literal(left(input, 60)))) END;

-- ==== scru160 ====
-- 20 bytes: 48 bits of Unix time in ms, a counter of 16, 16 random bits, 80 random bits.

CREATE OR REPLACE FUNCTION scru160_time(id bytea) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__time(
        sortid__int24(get_byte(id, sortid__check_length(id, 20, 'SCRU160')), get_byte(id, 1), get_byte(id, 2)),
        '16777.216 s',
        sortid__int24(get_byte(id, 3), get_byte(id, 4), get_byte(id, 5)), '1 ms');
COMMENT ON FUNCTION scru160_time(bytea) IS 'The time of a SCRU160, to the millisecond.';

-- 32 digits of base32hex.
CREATE OR REPLACE FUNCTION scru160_text(id bytea) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN repeat('', sortid__check_length(id, 20, 'SCRU160'))
        || sortid__base32('0123456789ABCDEFGHIJKLMNOPQRSTUV',
            get_byte(id, 0), get_byte(id, 1), get_byte(id, 2), get_byte(id, 3), get_byte(id, 4))
        || sortid__base32('0123456789ABCDEFGHIJKLMNOPQRSTUV',
            get_byte(id, 5), get_byte(id, 6), get_byte(id, 7), get_byte(id, 8), get_byte(id, 9))
        || sortid__base32('0123456789ABCDEFGHIJKLMNOPQRSTUV',
            get_byte(id, 10), get_byte(id, 11), get_byte(id, 12), get_byte(id, 13), get_byte(id, 14))
        || sortid__base32('0123456789ABCDEFGHIJKLMNOPQRSTUV',
            get_byte(id, 15), get_byte(id, 16), get_byte(id, 17), get_byte(id, 18), get_byte(id, 19));
COMMENT ON FUNCTION scru160_text(bytea) IS 'The text of a SCRU160.';

-- 32 digits of base32hex or 40 of hex, in upper or lower case. With an empty text for what was expected, the result is
-- NULL instead of an error.
CREATE OR REPLACE FUNCTION sortid__scru160_read(input text, expected text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN length(input) = 40 AND input ~ '^[0-9A-Fa-f]*$' THEN decode(input, 'hex')
        ELSE sortid__from_base32(input, 0, 32, '0-9A-Va-v',
            '\x00010203040506070809ffffffffffffff0a0b0c0d0e0f101112131415161718'
            '191a1b1c1d1e1fffffffffffffffffffff0a0b0c0d0e0f101112131415161718191a1b1c1d1e1fffffffffffffffffff',
            expected) END;

CREATE OR REPLACE FUNCTION scru160_parse(input text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__scru160_read(input, 'a SCRU160 of 32 digits 0-9A-V, or of 40 hex digits');
COMMENT ON FUNCTION scru160_parse(text) IS 'The SCRU160 of a text; an error if the text is not one.';

CREATE OR REPLACE FUNCTION scru160_try_parse(input text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__scru160_read(input, '');
COMMENT ON FUNCTION scru160_try_parse(text) IS 'The SCRU160 of a text; NULL if the text is not one.';

CREATE OR REPLACE FUNCTION scru160_text_time(input text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN scru160_time(scru160_parse(input));
COMMENT ON FUNCTION scru160_text_time(text) IS
    'The time of the SCRU160 of a text, to the millisecond; an error if the text is not one.';

CREATE OR REPLACE FUNCTION scru160_typed_text(prefix text, id bytea) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN id IS NOT NULL THEN sortid__prefix(prefix) || scru160_text(id) END;
COMMENT ON FUNCTION scru160_typed_text(text, bytea) IS 'A prefix, _ and the text of a SCRU160.';

CREATE OR REPLACE FUNCTION scru160_typed_parse(prefix text, input text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN scru160_parse(sortid__after_prefix(prefix, input, true));
COMMENT ON FUNCTION scru160_typed_parse(text, text) IS
    'The SCRU160 of a text with this prefix; an error if the text is not one.';

CREATE OR REPLACE FUNCTION scru160_typed_try_parse(prefix text, input text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN scru160_try_parse(sortid__after_prefix(prefix, input, false));
COMMENT ON FUNCTION scru160_typed_try_parse(text, text) IS
    'The SCRU160 of a text with this prefix; NULL if the text is not one.';

-- Without AND and OR, the function can be STRICT, so this counts.
CREATE OR REPLACE FUNCTION scru160_is_valid(input text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (length(input) = 32)::integer * (input ~ '^[0-9A-Va-v]*$')::integer
        + (length(input) = 40)::integer * (input ~ '^[0-9A-Fa-f]*$')::integer = 1;
COMMENT ON FUNCTION scru160_is_valid(text) IS 'Whether scru160_parse accepts a text; never an error.';

CREATE OR REPLACE FUNCTION sortid__scru160_millis(moment timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__micros(moment, '1970-01-01Z', '10889-08-02 05:31:50.655999Z', 'a SCRU160') / 1000;

CREATE OR REPLACE FUNCTION scru160_min_at(moment timestamptz) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN substr(int8send(sortid__scru160_millis(moment)), 3)
        || '\x0000000000000000000000000000'::bytea;
COMMENT ON FUNCTION scru160_min_at(timestamptz) IS 'The least SCRU160 of the millisecond of a time.';

CREATE OR REPLACE FUNCTION scru160_max_at(moment timestamptz) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN substr(int8send(sortid__scru160_millis(moment)), 3)
        || '\xffffffffffffffffffffffffffff'::bytea;
COMMENT ON FUNCTION scru160_max_at(timestamptz) IS 'The greatest SCRU160 of the millisecond of a time.';

CREATE OR REPLACE FUNCTION scru160_timestamp_ms(id bytea) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (sortid__int24(
            get_byte(id, sortid__check_length(id, 20, 'SCRU160')), get_byte(id, 1), get_byte(id, 2))::bigint << 24)
        | sortid__int24(get_byte(id, 3), get_byte(id, 4), get_byte(id, 5));
COMMENT ON FUNCTION scru160_timestamp_ms(bytea) IS 'The time of a SCRU160, in milliseconds since 1970.';

CREATE OR REPLACE FUNCTION scru160_counter(id bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (get_byte(id, 6 + sortid__check_length(id, 20, 'SCRU160')) << 8) | get_byte(id, 7);
COMMENT ON FUNCTION scru160_counter(bytea) IS 'The counter of a SCRU160, 16 bits.';

CREATE OR REPLACE FUNCTION scru160_random16(id bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (get_byte(id, 8 + sortid__check_length(id, 20, 'SCRU160')) << 8) | get_byte(id, 9);
COMMENT ON FUNCTION scru160_random16(bytea) IS 'The random bits after the counter of a SCRU160, 16 bits.';

CREATE OR REPLACE FUNCTION scru160_random80(id bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN substr(id, 11 + sortid__check_length(id, 20, 'SCRU160'));
COMMENT ON FUNCTION scru160_random80(bytea) IS 'The last random bits of a SCRU160, 10 bytes.';

-- A new SCRU160. Each session is a generator of its own, which keeps its last timestamp and counter in the setting
-- sortid.scru160.
--
-- Promised: the IDs of a session ascend. The counter starts at 15 random bits in a new millisecond, and then counts up.
-- If the clock goes back by at most 10 s, the last millisecond stays; if the counter is used up, the function waits for
-- the next millisecond. The other 96 bits are new in each ID. All random bits come from gen_random_uuid, which is
-- cryptographic.
-- Not promised: an order between sessions within a millisecond, or after the clock was set back by more than 10 s.
-- PostgreSQL takes the setting back in ROLLBACK, in ROLLBACK TO SAVEPOINT and when PL/pgSQL catches an exception, and
-- forgets it in DISCARD ALL and RESET ALL. The next IDs of the millisecond are then in another order.
CREATE OR REPLACE FUNCTION scru160_new() RETURNS bytea
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    -- {timestamp, counter}. NULL in a new session, and if others have written something else.
    last bigint[] := substring(current_setting('sortid.scru160', true) FROM '^[{][0-9]{1,15},[0-9]{1,5}[}]$')::bigint[];
    -- A UUID of version 4 is random but for 6 bits, in its bytes 6 and 8.
    random bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
    now bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
BEGIN
    -- The last millisecond stays if it has IDs left.
    WHILE last[2] = 65535 AND now BETWEEN last[1] - 10000 AND last[1] LOOP
        PERFORM pg_sleep(0.001);
        now := floor(extract(epoch FROM clock_timestamp()) * 1000);
    END LOOP;
    IF last[2] < 65535 AND now BETWEEN last[1] - 10000 AND last[1] THEN
        last := ARRAY[last[1], last[2] + 1];
    ELSIF now BETWEEN 1 AND 281474976710654 THEN
        last := ARRAY[now, ((get_byte(random, 0) & 127) << 8) | get_byte(random, 1)];
    ELSE
        RAISE EXCEPTION 'expected a clock that a SCRU160 can have, from 1970 to 10889, found %', clock_timestamp();
    END IF;
    PERFORM set_config('sortid.scru160', last::text, false);
    RETURN substr(int8send(last[1]), 3) || substr(int4send(last[2]::integer), 3)
        || substr(random, 3, 4) || substr(random, 10, 8);
END $$;
COMMENT ON FUNCTION scru160_new() IS 'A new SCRU160, greater than those that the session made before.';

-- ==== euid ====
-- 128 bits: 45 bits of Unix time in ms; 15 bits that end with the extension; 4 bits, the number of bits of the
-- extension; 32 random bits that count up within a millisecond; 32 random bits.

CREATE OR REPLACE FUNCTION euid_time(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sortid__time(
        sortid__int24(get_byte(uuid_send(id), 0), get_byte(uuid_send(id), 1), get_byte(uuid_send(id), 2)), '2097.152 s',
        sortid__int24(get_byte(uuid_send(id), 3), get_byte(uuid_send(id), 4), get_byte(uuid_send(id), 5)) >> 3, '1 ms');
COMMENT ON FUNCTION euid_time(uuid) IS 'The time of an EUID, to the millisecond.';

-- The 128 bits as an integer, modulo 127. 2^7 is 1 modulo 127, so the byte with the weight 2^(8 n) counts 2^(n mod 7)
-- times.
CREATE OR REPLACE FUNCTION euid_check(id uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (
        (get_byte(uuid_send(id), 0) << 1) + get_byte(uuid_send(id), 1) + (get_byte(uuid_send(id), 2) << 6)
        + (get_byte(uuid_send(id), 3) << 5) + (get_byte(uuid_send(id), 4) << 4) + (get_byte(uuid_send(id), 5) << 3)
        + (get_byte(uuid_send(id), 6) << 2) + (get_byte(uuid_send(id), 7) << 1) + get_byte(uuid_send(id), 8)
        + (get_byte(uuid_send(id), 9) << 6) + (get_byte(uuid_send(id), 10) << 5) + (get_byte(uuid_send(id), 11) << 4)
        + (get_byte(uuid_send(id), 12) << 3) + (get_byte(uuid_send(id), 13) << 2) + (get_byte(uuid_send(id), 14) << 1)
        + get_byte(uuid_send(id), 15)) % 127;
COMMENT ON FUNCTION euid_check(uuid) IS 'The check in the text of an EUID, 0 to 126.';

-- 25 digits of 125 bits, a digit of the last 3 bits and the upper 2 bits of the check, a digit of the other 5.
CREATE OR REPLACE FUNCTION euid_text(id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sortid__base32('0123456789ABCDEFGHJKMNPQRSTVWXYZ', get_byte(uuid_send(id), 0), get_byte(uuid_send(id), 1),
            get_byte(uuid_send(id), 2), get_byte(uuid_send(id), 3), get_byte(uuid_send(id), 4))
        || sortid__base32('0123456789ABCDEFGHJKMNPQRSTVWXYZ', get_byte(uuid_send(id), 5), get_byte(uuid_send(id), 6),
            get_byte(uuid_send(id), 7), get_byte(uuid_send(id), 8), get_byte(uuid_send(id), 9))
        || sortid__base32('0123456789ABCDEFGHJKMNPQRSTVWXYZ', get_byte(uuid_send(id), 10), get_byte(uuid_send(id), 11),
            get_byte(uuid_send(id), 12), get_byte(uuid_send(id), 13), get_byte(uuid_send(id), 14))
        || encode(substr(int4send(
            (get_byte('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, get_byte(uuid_send(id), 15) >> 3) << 16)
            | (get_byte('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea,
                ((get_byte(uuid_send(id), 15) & 7) << 2) | (euid_check(id) >> 5)) << 8)
            | get_byte('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, euid_check(id) & 31)), 2), 'escape');
COMMENT ON FUNCTION euid_text(uuid) IS 'The text of an EUID.';

-- The EUID of its 27 digits. vals has the value of each ASCII character that is a digit. The check 127 means that the
-- text has no check. With an empty text, a wrong check gives NULL instead of an error.
CREATE OR REPLACE FUNCTION sortid__checked_euid(bytes bytea, input text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    vals CONSTANT bytea := '\x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000'
        '000000000000010203040506070809000000000000000a0b0c0d0e0f101101121301141500161718191a00'
        '1b1c1d1e1f0000000000000a0b0c0d0e0f101101121301141500161718191a001b1c1d1e1f0000000000';
    -- 60 bits of the ID, the next 60 bits, the last 8 bits and the check.
    high bigint := ((((((((((((((((((((((get_byte(vals, get_byte(bytes, 0))::bigint
        << 5) + get_byte(vals, get_byte(bytes, 1))) << 5) + get_byte(vals, get_byte(bytes, 2)))
        << 5) + get_byte(vals, get_byte(bytes, 3))) << 5) + get_byte(vals, get_byte(bytes, 4)))
        << 5) + get_byte(vals, get_byte(bytes, 5))) << 5) + get_byte(vals, get_byte(bytes, 6)))
        << 5) + get_byte(vals, get_byte(bytes, 7))) << 5) + get_byte(vals, get_byte(bytes, 8)))
        << 5) + get_byte(vals, get_byte(bytes, 9))) << 5) + get_byte(vals, get_byte(bytes, 10)))
        << 5) + get_byte(vals, get_byte(bytes, 11)));
    middle bigint := ((((((((((((((((((((((get_byte(vals, get_byte(bytes, 12))::bigint
        << 5) + get_byte(vals, get_byte(bytes, 13))) << 5) + get_byte(vals, get_byte(bytes, 14)))
        << 5) + get_byte(vals, get_byte(bytes, 15))) << 5) + get_byte(vals, get_byte(bytes, 16)))
        << 5) + get_byte(vals, get_byte(bytes, 17))) << 5) + get_byte(vals, get_byte(bytes, 18)))
        << 5) + get_byte(vals, get_byte(bytes, 19))) << 5) + get_byte(vals, get_byte(bytes, 20)))
        << 5) + get_byte(vals, get_byte(bytes, 21))) << 5) + get_byte(vals, get_byte(bytes, 22)))
        << 5) + get_byte(vals, get_byte(bytes, 23)));
    low integer := (((get_byte(vals, get_byte(bytes, 24)) << 5) + get_byte(vals, get_byte(bytes, 25))) << 5)
        + get_byte(vals, get_byte(bytes, 26));
    -- The ID is high * 2^68 + middle * 2^8 + low / 2^7, and 2^7 is 1 modulo 127, so 2^68 counts as 2^5, and 2^8 as 2.
    computed bigint := (high % 127 * 32 + middle % 127 * 2 + (low >> 7)) % 127;
BEGIN
    IF low & 127 NOT IN (computed, 127) THEN
        IF input = '' THEN
            RETURN NULL;
        END IF;
        RAISE EXCEPTION USING ERRCODE = 'invalid_text_representation',
            MESSAGE = format('expected the check %s of an EUID, found %s in %L', computed, low & 127, input);
    END IF;
    RETURN encode(int8send((high << 4) | (middle >> 56)) || int8send((middle << 8) | (low >> 7)), 'hex')::uuid;
END $$;

-- 27 digits of Crockford's base32, in upper or lower case, with I and L for 1 and O for 0. Of other texts,
-- sortid__from_base32 returns NULL or says what is wrong, before it looks for the value of a digit.
CREATE OR REPLACE FUNCTION sortid__euid_read(input text, expected text) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN octet_length(input) = 27 AND input COLLATE "C" ~ '^[0-9A-TV-Za-tv-z]*$'
        THEN sortid__checked_euid(decode(input, 'escape'), CASE WHEN expected = '' THEN '' ELSE input END)
        ELSE encode(sortid__from_base32(input, 0, 27, '0-9A-TV-Za-tv-z', '', expected), 'hex')::uuid END;

CREATE OR REPLACE FUNCTION euid_parse(input text) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__euid_read(input, 'an EUID of 27 digits 0-9A-HJKMNP-TV-Z');
COMMENT ON FUNCTION euid_parse(text) IS 'The EUID of a text; an error if the text is not one.';

CREATE OR REPLACE FUNCTION euid_try_parse(input text) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__euid_read(input, '');
COMMENT ON FUNCTION euid_try_parse(text) IS 'The EUID of a text; NULL if the text is not one.';

CREATE OR REPLACE FUNCTION euid_text_time(input text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN euid_time(euid_parse(input));
COMMENT ON FUNCTION euid_text_time(text) IS
    'The time of the EUID of a text, to the millisecond; an error if the text is not one.';

CREATE OR REPLACE FUNCTION euid_typed_text(prefix text, id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN id IS NOT NULL THEN sortid__prefix(prefix) || euid_text(id) END;
COMMENT ON FUNCTION euid_typed_text(text, uuid) IS 'A prefix, _ and the text of an EUID.';

CREATE OR REPLACE FUNCTION euid_typed_parse(prefix text, input text) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN euid_parse(sortid__after_prefix(prefix, input, true));
COMMENT ON FUNCTION euid_typed_parse(text, text) IS
    'The EUID of a text with this prefix; an error if the text is not one.';

CREATE OR REPLACE FUNCTION euid_typed_try_parse(prefix text, input text) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN euid_try_parse(sortid__after_prefix(prefix, input, false));
COMMENT ON FUNCTION euid_typed_try_parse(text, text) IS
    'The EUID of a text with this prefix; NULL if the text is not one.';

CREATE OR REPLACE FUNCTION euid_is_valid(input text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN input IS NOT NULL THEN euid_try_parse(input) IS NOT NULL END;
COMMENT ON FUNCTION euid_is_valid(text) IS 'Whether euid_parse accepts a text; never an error.';

CREATE OR REPLACE FUNCTION sortid__euid_millis(moment timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__micros(moment, '1970-01-01Z', '3084-12-12 12:41:28.831999Z', 'an EUID') / 1000;

CREATE OR REPLACE FUNCTION euid_min_at(moment timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN encode(int8send(sortid__euid_millis(moment) << 19)
        || '\x0000000000000000'::bytea, 'hex')::uuid;
COMMENT ON FUNCTION euid_min_at(timestamptz) IS 'The least EUID of the millisecond of a time.';

CREATE OR REPLACE FUNCTION euid_max_at(moment timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN encode(int8send((sortid__euid_millis(moment) << 19) | 524287)
        || '\xffffffffffffffff'::bytea, 'hex')::uuid;
COMMENT ON FUNCTION euid_max_at(timestamptz) IS 'The greatest EUID of the millisecond of a time.';

CREATE OR REPLACE FUNCTION euid_timestamp_ms(id uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((sortid__int24(get_byte(uuid_send(id), 0), get_byte(uuid_send(id), 1), get_byte(uuid_send(id), 2))::bigint
            << 24)
        | sortid__int24(get_byte(uuid_send(id), 3), get_byte(uuid_send(id), 4), get_byte(uuid_send(id), 5))) >> 3;
COMMENT ON FUNCTION euid_timestamp_ms(uuid) IS 'The time of an EUID, in milliseconds since 1970.';

-- The number of bits of the extension: 0 if there is none.
CREATE OR REPLACE FUNCTION euid_extension_bits(id uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN get_byte(uuid_send(id), 7) & 15;
COMMENT ON FUNCTION euid_extension_bits(uuid) IS 'The number of bits of the extension of an EUID, 0 to 15.';

-- The random bits above the extension.
CREATE OR REPLACE FUNCTION euid_random_upper(id uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (((get_byte(uuid_send(id), 5) & 7) << 12) | (get_byte(uuid_send(id), 6) << 4)
            | (get_byte(uuid_send(id), 7) >> 4))
        >> (get_byte(uuid_send(id), 7) & 15);
COMMENT ON FUNCTION euid_random_upper(uuid) IS 'The random bits above the extension of an EUID, at most 15 bits.';

-- NULL if there is none: the list of masks has no element 0.
CREATE OR REPLACE FUNCTION euid_extension(id uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (((get_byte(uuid_send(id), 5) & 7) << 12) | (get_byte(uuid_send(id), 6) << 4)
            | (get_byte(uuid_send(id), 7) >> 4))
        & ('{1,3,7,15,31,63,127,255,511,1023,2047,4095,8191,16383,32767}'::integer[])[get_byte(uuid_send(id), 7) & 15];
COMMENT ON FUNCTION euid_extension(uuid) IS 'The extension of an EUID, at most 15 bits, or NULL if there is none.';

CREATE OR REPLACE FUNCTION euid_random_high(id uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sortid__int32(get_byte(uuid_send(id), 8), get_byte(uuid_send(id), 9), get_byte(uuid_send(id), 10),
        get_byte(uuid_send(id), 11));
COMMENT ON FUNCTION euid_random_high(uuid) IS 'The random bits of an EUID that count up within a millisecond, 32 bits.';

CREATE OR REPLACE FUNCTION euid_random_low(id uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sortid__int32(get_byte(uuid_send(id), 12), get_byte(uuid_send(id), 13), get_byte(uuid_send(id), 14),
        get_byte(uuid_send(id), 15));
COMMENT ON FUNCTION euid_random_low(uuid) IS 'The last random bits of an EUID, 32 bits.';

-- For a column that has both. A UUID of version 7 begins with 48 bits of milliseconds, an EUID with 45. So those UUIDs
-- of before 2209-12-30 are less than the EUIDs of 2000 and later. The literal is the least EUID of 2000.
CREATE OR REPLACE FUNCTION euid_is_uuid7(id uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN id < '06e3567d-6000-0000-0000-000000000000' AND sortid__has_version_7(id);
COMMENT ON FUNCTION euid_is_uuid7(uuid) IS
    'Whether an ID of a column with EUIDs and UUIDs of version 7 is such a UUID.';

CREATE OR REPLACE FUNCTION euid_or_uuid7_time(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN euid_is_uuid7(id) THEN sortid__uuid7_time(id) ELSE euid_time(id) END;
COMMENT ON FUNCTION euid_or_uuid7_time(uuid) IS 'The time of an EUID or of a UUID of version 7, to the millisecond.';

-- In a query, these are two ranges of IDs, each of which can use an index. The condition behind them is computed for
-- each row, so it has no bound: of now() or a parameter, a bound is not a constant. Between the years of its first
-- branch, a range has no ID of the other kind, only UUIDs of other versions. In other years, the time of the ID
-- decides. It is compared with the ends as if they were rounded down to the millisecond.
CREATE OR REPLACE FUNCTION euid_or_uuid7_within(id uuid, since timestamptz, before timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (id >= euid_min_at(since) AND id < euid_min_at(before)
            OR id >= sortid__uuid7_min_at(since) AND id < sortid__uuid7_min_at(before))
        AND CASE WHEN since >= '2000-01-01Z' AND before <= '2209-12-30Z'
            THEN id >= '06e3567d-6000-0000-0000-000000000000' OR sortid__has_version_7(id)
            ELSE sortid__next_milli(euid_or_uuid7_time(id)) > since
                AND sortid__next_milli(euid_or_uuid7_time(id)) <= before END;
COMMENT ON FUNCTION euid_or_uuid7_within(uuid, timestamptz, timestamptz) IS
    'Whether the time of an EUID or of a UUID of version 7 is in a span, whose end does not belong to it.';

-- A new EUID without an extension. Each session is a generator of its own, which keeps its last timestamp, the bits
-- beside it, and the number that counts up in the setting sortid.euid. The IDs of a session ascend, and the random bits
-- come from gen_random_uuid, which is cryptographic. As with scru160_new, sessions have no common order, and PostgreSQL
-- takes the setting back in a rollback.
CREATE OR REPLACE FUNCTION euid_new() RETURNS uuid
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    -- {timestamp, the lower 19 bits of the upper half, random_high}. NULL in a new session, and if others have written
    -- something else.
    last bigint[] := substring(current_setting('sortid.euid', true)
        FROM '^[{][0-9]{1,15},[0-9]{1,6},[0-9]{1,10}[}]$')::bigint[];
    -- A UUID of version 4 is random but for 6 bits, in its bytes 6 and 8.
    random bytea := uuid_send(gen_random_uuid());
    now bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
BEGIN
    -- The last millisecond stays if it has IDs left.
    WHILE last[3] = 4294967295 AND now BETWEEN last[1] - 10000 AND last[1] LOOP
        PERFORM pg_sleep(0.001);
        now := floor(extract(epoch FROM clock_timestamp()) * 1000);
    END LOOP;
    IF last[2] < 524288 AND last[2] & 15 = 0 AND last[3] < 4294967295 AND now BETWEEN last[1] - 10000 AND last[1] THEN
        last := ARRAY[last[1], last[2], last[3] + 1];
    ELSIF now BETWEEN 0 AND 35184372088831 THEN
        -- 15 random bits, and no extension.
        last := ARRAY[now, (((get_byte(random, 0) & 127) << 8) | get_byte(random, 1)) << 4,
            ('x' || encode(substr(random, 3, 4), 'hex'))::bit(32)::bigint];
    ELSE
        RAISE EXCEPTION 'expected a clock that an EUID can have, from 1970 to 3084, found %', clock_timestamp();
    END IF;
    PERFORM set_config('sortid.euid', last::text, false);
    RETURN encode(int8send((last[1] << 19) | last[2]) || substr(int8send(last[3]), 5) || substr(random, 10, 4),
        'hex')::uuid;
END $$;
COMMENT ON FUNCTION euid_new() IS 'A new EUID, greater than those that the session made before.';

-- For pg_partman 5.2 and later: p_time_encoder and p_time_decoder of a table that is partitioned by a column of EUIDs.
CREATE OR REPLACE FUNCTION euid_time_encoder(moment timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN euid_min_at(moment);
COMMENT ON FUNCTION euid_time_encoder(timestamptz) IS 'The least EUID of the millisecond of a time, for pg_partman.';

CREATE OR REPLACE FUNCTION euid_time_decoder(id text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN euid_time(id::uuid);
COMMENT ON FUNCTION euid_time_decoder(text) IS 'The time of an EUID as the text of a UUID, for pg_partman.';

-- ==== ulid_flake ====
-- A bigint: 43 bits of time in ms since 2024, 20 random bits. The scalable version has a node in the last 5.

-- 0, or an error if the ID is negative.
CREATE OR REPLACE FUNCTION sortid__check_ulid_flake(id bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__check(id >= 0, 'expected a Ulid-Flake of 0 or more, found ' || id::text);

CREATE OR REPLACE FUNCTION ulid_flake_time(id bigint) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (timestamp '2024-01-01'
        + ((id >> 20) + sortid__check_ulid_flake(id)) * interval '1 ms') AT TIME ZONE 'UTC';
COMMENT ON FUNCTION ulid_flake_time(bigint) IS 'The time of a Ulid-Flake, to the millisecond.';

-- 13 digits of Crockford's base32: the last 13 of 80 bits, which are 16 zeros and the ID.
CREATE OR REPLACE FUNCTION ulid_flake_text(id bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN repeat('', sortid__check_ulid_flake(id))
        || right(sortid__base32('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
            0, 0, get_byte(int8send(id), 0), get_byte(int8send(id), 1), get_byte(int8send(id), 2)), 5)
        || sortid__base32('0123456789ABCDEFGHJKMNPQRSTVWXYZ', get_byte(int8send(id), 3), get_byte(int8send(id), 4),
            get_byte(int8send(id), 5), get_byte(int8send(id), 6), get_byte(int8send(id), 7));
COMMENT ON FUNCTION ulid_flake_text(bigint) IS 'The text of a Ulid-Flake.';

-- 13 digits of Crockford's base32, in upper or lower case, as 10 bytes.
CREATE OR REPLACE FUNCTION sortid__ulid_flake_bytes(input text, expected text) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sortid__from_base32(input, 3, 13, '0-9A-HJKMNP-TV-Za-hjkmnp-tv-z',
        '\x00010203040506070809ffffffffffffff0a0b0c0d0e0f1011ff1213ff1415ff'
        '161718191aff1b1c1d1e1fffffffffffff0a0b0c0d0e0f1011ff1213ff1415ff161718191aff1b1c1d1e1fffffffffff', expected);

CREATE OR REPLACE FUNCTION ulid_flake_parse(input text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__int64(sortid__ulid_flake_bytes(input, 'a Ulid-Flake of 13 digits 0-9A-HJKMNP-TV-Z'), 3)
        + sortid__check(input !~ '^[89A-Za-z]', 'expected a Ulid-Flake up to 7ZZZZZZZZZZZZ, found ' || left(input, 60));
COMMENT ON FUNCTION ulid_flake_parse(text) IS 'The Ulid-Flake of a text; an error if the text is not one.';

CREATE OR REPLACE FUNCTION ulid_flake_try_parse(input text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN input ~ '^[0-7]' THEN sortid__int64(sortid__ulid_flake_bytes(input, ''), 3) END;
COMMENT ON FUNCTION ulid_flake_try_parse(text) IS 'The Ulid-Flake of a text; NULL if the text is not one.';

CREATE OR REPLACE FUNCTION ulid_flake_text_time(input text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ulid_flake_time(ulid_flake_parse(input));
COMMENT ON FUNCTION ulid_flake_text_time(text) IS
    'The time of the Ulid-Flake of a text, to the millisecond; an error if the text is not one.';

CREATE OR REPLACE FUNCTION ulid_flake_typed_text(prefix text, id bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN id IS NOT NULL THEN sortid__prefix(prefix) || ulid_flake_text(id) END;
COMMENT ON FUNCTION ulid_flake_typed_text(text, bigint) IS 'A prefix, _ and the text of a Ulid-Flake.';

CREATE OR REPLACE FUNCTION ulid_flake_typed_parse(prefix text, input text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ulid_flake_parse(sortid__after_prefix(prefix, input, true));
COMMENT ON FUNCTION ulid_flake_typed_parse(text, text) IS
    'The Ulid-Flake of a text with this prefix; an error if the text is not one.';

CREATE OR REPLACE FUNCTION ulid_flake_typed_try_parse(prefix text, input text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ulid_flake_try_parse(sortid__after_prefix(prefix, input, false));
COMMENT ON FUNCTION ulid_flake_typed_try_parse(text, text) IS
    'The Ulid-Flake of a text with this prefix; NULL if the text is not one.';

CREATE OR REPLACE FUNCTION ulid_flake_is_valid(input text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (length(input) = 13)::integer * (input ~ '^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]*$')::integer = 1;
COMMENT ON FUNCTION ulid_flake_is_valid(text) IS 'Whether ulid_flake_parse accepts a text; never an error.';

-- The milliseconds since 2024 of a time.
CREATE OR REPLACE FUNCTION sortid__ulid_flake_millis(moment timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__micros(moment, '2024-01-01Z', '2302-09-27 15:10:22.207999Z', 'a Ulid-Flake') / 1000 - 1704067200000;

CREATE OR REPLACE FUNCTION ulid_flake_min_at(moment timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__ulid_flake_millis(moment) << 20;
COMMENT ON FUNCTION ulid_flake_min_at(timestamptz) IS 'The least Ulid-Flake of the millisecond of a time.';

CREATE OR REPLACE FUNCTION ulid_flake_max_at(moment timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (sortid__ulid_flake_millis(moment) << 20) | 1048575;
COMMENT ON FUNCTION ulid_flake_max_at(timestamptz) IS 'The greatest Ulid-Flake of the millisecond of a time.';

CREATE OR REPLACE FUNCTION ulid_flake_timestamp_ms(id bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (id >> 20) + sortid__check_ulid_flake(id);
COMMENT ON FUNCTION ulid_flake_timestamp_ms(bigint) IS 'The time of a Ulid-Flake, in milliseconds since 2024.';

CREATE OR REPLACE FUNCTION ulid_flake_randomness(id bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (id & 1048575)::integer + sortid__check_ulid_flake(id);
COMMENT ON FUNCTION ulid_flake_randomness(bigint) IS 'The random bits of a Ulid-Flake, 20 bits.';

CREATE OR REPLACE FUNCTION ulid_flake_scalable_randomness(id bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((id >> 5) & 32767)::integer + sortid__check_ulid_flake(id);
COMMENT ON FUNCTION ulid_flake_scalable_randomness(bigint) IS
    'The random bits of a Ulid-Flake of the scalable version, 15 bits.';

CREATE OR REPLACE FUNCTION ulid_flake_scalability(id bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (id & 31)::integer + sortid__check_ulid_flake(id);
COMMENT ON FUNCTION ulid_flake_scalability(bigint) IS
    'The scalability of a Ulid-Flake of the scalable version, 5 bits.';

-- There is no ulid_flake_new: 20 random bits are too few for sessions that do not know of each other.

-- ==== ron_uid ====
-- 16 bytes: 4 bits 0 and a value of 60 bits; 2 bits 0, the scheme in 2 bits, and an origin of 60 bits. The value of an
-- event is a calendar date: 12 bits for the months since 2010, 6 each for day, hour, minute and second, 12 each for the
-- millisecond and a sequence number. In text, value and origin have ten digits of 6 bits, without the zeros at the end.

-- 0, or an error unless the ID has 16 bytes and the six bits are 0.
CREATE OR REPLACE FUNCTION sortid__check_ron_uid(id bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__check((get_byte(id, sortid__check_length(id, 16, 'RON UID')) | (get_byte(id, 8) & 192)) < 16,
        'expected zeros in the upper 4 bits of byte 0 and the upper 2 of byte 8 of a RON UID, found '
        || encode(id, 'hex'));

-- The month in which an event was, counted from 2010-01, and the first day of a month that is counted so.
CREATE OR REPLACE FUNCTION sortid__ron_month(id bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (get_byte(id, 0) << 8) | get_byte(id, 1);

CREATE OR REPLACE FUNCTION sortid__ron_first(month integer) RETURNS timestamp
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN timestamp '2010-01-01' + month * interval '1 month';

-- The fields of a date, in order.
CREATE OR REPLACE FUNCTION sortid__ron_hour(id bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((get_byte(id, 2) & 3) << 4) | (get_byte(id, 3) >> 4);

CREATE OR REPLACE FUNCTION sortid__ron_minute(id bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ((get_byte(id, 3) & 15) << 2) | (get_byte(id, 4) >> 6);

CREATE OR REPLACE FUNCTION sortid__ron_second(id bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN get_byte(id, 4) & 63;

CREATE OR REPLACE FUNCTION sortid__ron_millis(id bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (get_byte(id, 5) << 4) | (get_byte(id, 6) >> 4);

-- The number of reasons why an ID has no time. The last month with times is 2345-12.
CREATE OR REPLACE FUNCTION sortid__ron_faults(id bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (get_byte(id, 8) < 32)::integer
        + (sortid__ron_month(id) >= 4032)::integer
        + (sortid__ron_first(sortid__ron_month(id)) + (get_byte(id, 2) >> 2) * interval '1 day'
            >= sortid__ron_first(sortid__ron_month(id) + 1))::integer
        + (sortid__ron_hour(id) >= 24)::integer
        + (sortid__ron_minute(id) >= 60)::integer
        + (sortid__ron_second(id) >= 60)::integer
        + (sortid__ron_millis(id) >= 1000)::integer;

-- NULL if there is a fault: the list of one element has no second.
CREATE OR REPLACE FUNCTION ron_uid_time(id bytea) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (sortid__ron_first(sortid__check_ron_uid(id) + sortid__ron_month(id))
        + (get_byte(id, 2) >> 2) * interval '1 day'
        + (((sortid__ron_hour(id) * 60 + sortid__ron_minute(id)) * 60 + sortid__ron_second(id)) * 1000
            + sortid__ron_millis(id) + ('{0}'::integer[])[1 + sortid__ron_faults(id)])
        * interval '1 ms') AT TIME ZONE 'UTC';
COMMENT ON FUNCTION ron_uid_time(bytea) IS
    'The time of a RON UID, to the millisecond; NULL of a name, a hash, or a value that is not a date.';

-- A digit of 6 bits.
CREATE OR REPLACE FUNCTION sortid__ron_digit(digit integer) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN get_byte('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~'::bytea, digit);

-- The ten digits of the lower 60 bits of 8 bytes, as bytes, without the zeros at the end.
CREATE OR REPLACE FUNCTION sortid__ron_part(id bytea, at integer) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN rtrim(int8send(((((((((((((((
        sortid__ron_digit(((get_byte(id, at) & 15) << 2) | (get_byte(id, at + 1) >> 6))::bigint
        << 8) + sortid__ron_digit(get_byte(id, at + 1) & 63))
        << 8) + sortid__ron_digit(get_byte(id, at + 2) >> 2))
        << 8) + sortid__ron_digit(((get_byte(id, at + 2) & 3) << 4) | (get_byte(id, at + 3) >> 4)))
        << 8) + sortid__ron_digit(((get_byte(id, at + 3) & 15) << 2) | (get_byte(id, at + 4) >> 6)))
        << 8) + sortid__ron_digit(get_byte(id, at + 4) & 63))
        << 8) + sortid__ron_digit(get_byte(id, at + 5) >> 2))
        << 8) + sortid__ron_digit(((get_byte(id, at + 5) & 3) << 4) | (get_byte(id, at + 6) >> 4))))
        || substr(int4send((sortid__ron_digit(((get_byte(id, at + 6) & 15) << 2) | (get_byte(id, at + 7) >> 6)) << 8)
            + sortid__ron_digit(get_byte(id, at + 7) & 63)), 3), '0');

CREATE OR REPLACE FUNCTION ron_uid_value_int(id bytea) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__int64(id, 1 + sortid__check_ron_uid(id));
COMMENT ON FUNCTION ron_uid_value_int(bytea) IS 'The value of a RON UID, 60 bits.';

CREATE OR REPLACE FUNCTION ron_uid_origin_int(id bytea) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__int64(id, 9 + sortid__check_ron_uid(id)) & x'0fffffffffffffff'::bigint;
COMMENT ON FUNCTION ron_uid_origin_int(bytea) IS 'The origin of a RON UID, 60 bits.';

CREATE OR REPLACE FUNCTION ron_uid_value(id bytea) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN repeat('', sortid__check_ron_uid(id)) || CASE WHEN substr(id, 1, 8) = '\x0000000000000000' THEN '0'
        ELSE encode(sortid__ron_part(id, 0), 'escape') END;
COMMENT ON FUNCTION ron_uid_value(bytea) IS 'The value of a RON UID, as up to 10 digits.';

CREATE OR REPLACE FUNCTION ron_uid_origin(id bytea) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN repeat('', sortid__check_ron_uid(id)) || CASE
        WHEN get_byte(id, 8) & 15 = 0 AND substr(id, 10) = '\x00000000000000' THEN '0'
        ELSE encode(sortid__ron_part(id, 8), 'escape') END;
COMMENT ON FUNCTION ron_uid_origin(bytea) IS 'The origin of a RON UID, as up to 10 digits.';

-- In the bits, names come first.
CREATE OR REPLACE FUNCTION ron_uid_scheme(id bytea) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ('{name,hash,event,derived}'::text[])[1 + (get_byte(id, 8 + sortid__check_ron_uid(id)) >> 4)];
COMMENT ON FUNCTION ron_uid_scheme(bytea) IS 'The scheme of a RON UID: name, hash, event or derived.';

-- Value, sign and origin. A part that is 0 is left out, and so is the sign of a name, or of the events 0, ~ and
-- ~~~~~~~~~~, if the origin is 0.
CREATE OR REPLACE FUNCTION ron_uid_text(id bytea) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN get_byte(id, 8 + sortid__check_ron_uid(id)) & 15 <> 0 OR substr(id, 10) <> '\x00000000000000' THEN encode(
            sortid__ron_part(id, 0) || substr('$%-+'::bytea, 1 + (get_byte(id, 8) >> 4), 1) || sortid__ron_part(id, 8),
            'escape')
        ELSE ron_uid_value(id) || CASE
            WHEN get_byte(id, 8) >> 4 = CASE
                WHEN substr(id, 1, 8) IN ('\x0000000000000000', '\x0fc0000000000000', '\x0fffffffffffffff') THEN 2
                ELSE 0 END THEN ''
            ELSE substr('$%-+', 1 + (get_byte(id, 8) >> 4), 1) END END;
COMMENT ON FUNCTION ron_uid_text(bytea) IS 'The text of a RON UID.';

-- Digits alone are a name, or one of the events 0, ~ and ~~~~~~~~~~. The text leaves out an origin of 0 if it has to
-- have a sign, and a value of 0 if the origin is not 0.
CREATE OR REPLACE FUNCTION ron_uid_is_valid(input text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN input ~ ('^(?:[0-9A-Z_a-z~]{1,10}(?:[-+%]|[-+$%][0-9A-Z_a-z~]{1,10})?|(?:0{1,10}|~0{0,9}|~{10})[$]'
            '|[-+$%][0-9A-Z_a-z~]{1,10})$')
        AND input !~ '^(?:(?:0+|~0*|~{10})-|[-+$%]0+)$';
COMMENT ON FUNCTION ron_uid_is_valid(text) IS 'Whether ron_uid_parse accepts a text; never an error.';

CREATE OR REPLACE FUNCTION ron_uid_parse(input text) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    -- The value of each ASCII character that is a digit.
    vals CONSTANT bytea := '\x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000'
        '000000000000010203040506070809000000000000000a0b0c0d0e0f101112131415161718191a1b1c1d1e'
        '1f2021222300000000240025262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e0000003f00';
    -- Digits, a sign and digits: most texts are in this form.
    usual text COLLATE "C" := input;
    -- The sign that digits alone mean: that of a name, or of one of three events.
    bare_sign text COLLATE "C";
    bytes bytea;
    at integer;
BEGIN
    IF input COLLATE "C" !~ '^[0-9A-Z_a-z~]+[-+$%][0-9A-Z_a-z~]+$' THEN
        bare_sign := CASE WHEN rtrim(rtrim(input, '-+$%'), '0') IN ('', '~', '~~~~~~~~~~') THEN '-' ELSE '$' END;
        usual := CASE
            WHEN input COLLATE "C" ~ '^[0-9A-Z_a-z~]+$' THEN input || bare_sign
            WHEN input COLLATE "C" ~ '^[0-9A-Z_a-z~]+[-+$%]$' THEN CASE WHEN right(input, 1) <> bare_sign THEN input END
            WHEN input COLLATE "C" ~ '^[-+$%]0*[1-9A-Z_a-z~][0-9A-Z_a-z~]*$' THEN input END;
    END IF;
    bytes := decode(usual, 'escape');
    -- The place of the sign: the others have the place 0.
    at := position('-'::bytea IN bytes) + position('+'::bytea IN bytes)
        + position('$'::bytea IN bytes) + position('%'::bytea IN bytes);
    IF (at <= 11 AND length(bytes) <= at + 10) IS NOT TRUE THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_text_representation',
            MESSAGE = format('expected a RON UID: up to 10 digits 0-9A-Z_a-z~, a sign -+$%% and up to 10 digits, '
                'found a text of length %s: %L', length(input), left(input, 60));
    END IF;
    -- The sign, and ten digits of each part.
    bytes := substr(bytes, at, 1) || substr(substr(bytes, 1, at - 1) || '0000000000', 1, 10)
        || substr(bytes, at + 1) || '0000000000';
    RETURN int8send(((((((((((((((((((get_byte(vals, get_byte(bytes, 1))::bigint
            << 6) + get_byte(vals, get_byte(bytes, 2))) << 6) + get_byte(vals, get_byte(bytes, 3)))
            << 6) + get_byte(vals, get_byte(bytes, 4))) << 6) + get_byte(vals, get_byte(bytes, 5)))
            << 6) + get_byte(vals, get_byte(bytes, 6))) << 6) + get_byte(vals, get_byte(bytes, 7)))
            << 6) + get_byte(vals, get_byte(bytes, 8))) << 6) + get_byte(vals, get_byte(bytes, 9)))
            << 6) + get_byte(vals, get_byte(bytes, 10))))
        || int8send(((((((((((((((((((get_byte(vals, get_byte(bytes, 11))::bigint
            << 6) + get_byte(vals, get_byte(bytes, 12))) << 6) + get_byte(vals, get_byte(bytes, 13)))
            << 6) + get_byte(vals, get_byte(bytes, 14))) << 6) + get_byte(vals, get_byte(bytes, 15)))
            << 6) + get_byte(vals, get_byte(bytes, 16))) << 6) + get_byte(vals, get_byte(bytes, 17)))
            << 6) + get_byte(vals, get_byte(bytes, 18))) << 6) + get_byte(vals, get_byte(bytes, 19)))
            << 6) + get_byte(vals, get_byte(bytes, 20)))
        | ((position(substr(bytes, 1, 1) IN '$%-+'::bytea) - 1)::bigint << 60));
END $$;
COMMENT ON FUNCTION ron_uid_parse(text) IS 'The RON UID of a text; an error if the text is not one.';

CREATE OR REPLACE FUNCTION ron_uid_try_parse(input text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ron_uid_is_valid(input) THEN ron_uid_parse(input) END;
COMMENT ON FUNCTION ron_uid_try_parse(text) IS 'The RON UID of a text; NULL if the text is not one.';

CREATE OR REPLACE FUNCTION ron_uid_text_time(input text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ron_uid_time(ron_uid_parse(input));
COMMENT ON FUNCTION ron_uid_text_time(text) IS
    'The time of the RON UID of a text, to the millisecond; an error if the text is not one.';

CREATE OR REPLACE FUNCTION ron_uid_typed_text(prefix text, id bytea) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN id IS NOT NULL THEN sortid__prefix(prefix) || ron_uid_text(id) END;
COMMENT ON FUNCTION ron_uid_typed_text(text, bytea) IS 'A prefix, _ and the text of a RON UID.';

CREATE OR REPLACE FUNCTION ron_uid_typed_parse(prefix text, input text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ron_uid_parse(sortid__after_prefix(prefix, input, true));
COMMENT ON FUNCTION ron_uid_typed_parse(text, text) IS
    'The RON UID of a text with this prefix; an error if the text is not one.';

CREATE OR REPLACE FUNCTION ron_uid_typed_try_parse(prefix text, input text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ron_uid_try_parse(sortid__after_prefix(prefix, input, false));
COMMENT ON FUNCTION ron_uid_typed_try_parse(text, text) IS
    'The RON UID of a text with this prefix; NULL if the text is not one.';

-- The 16 bytes of a millisecond after 2010 and a sequence number, with the scheme and the origin.
CREATE OR REPLACE FUNCTION sortid__ron_at(millis bigint, sequence integer, low bytea) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    utc timestamp := timestamp '2010-01-01' + millis / 1000 * interval '1 s';
    month bigint := (extract(year FROM utc) - 2010) * 12 + extract(month FROM utc) - 1;
    day bigint := extract(day FROM utc) - 1;
    hour bigint := extract(hour FROM utc);
    minute bigint := extract(minute FROM utc);
    second bigint := extract(second FROM utc);
BEGIN
    RETURN int8send((month << 48) | (day << 42) | (hour << 36) | (minute << 30) | (second << 24)
        | ((millis % 1000) << 12) | sequence) || low;
END $$;

-- The milliseconds since 2010 of a time.
CREATE OR REPLACE FUNCTION sortid__ron_since_2010(moment timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__micros(moment, '2010-01-01Z', '2345-12-31 23:59:59.999999Z', 'a RON UID') / 1000 - 1262304000000;

-- The scheme of min_at is the event, and that of max_at is derived.
CREATE OR REPLACE FUNCTION ron_uid_min_at(moment timestamptz) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__ron_at(sortid__ron_since_2010(moment), 0, '\x2000000000000000');
COMMENT ON FUNCTION ron_uid_min_at(timestamptz) IS 'The least RON UID of the millisecond of a time.';

CREATE OR REPLACE FUNCTION ron_uid_max_at(moment timestamptz) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__ron_at(sortid__ron_since_2010(moment), 4095, '\x3fffffffffffffff');
COMMENT ON FUNCTION ron_uid_max_at(timestamptz) IS 'The greatest RON UID of the millisecond of a time.';

-- There is no ron_uid_new: RON UIDs have no random bits, so all sessions of an origin would have to share a clock.

-- ==== event_id ====
-- 128 bits: 64 bits of Unix time in µs, a checksum of 32, a ledger ID of 32 whose last two bits are a version.

-- Times of 2^63 µs or more, after 294247-01-10, do not fit into a bigint. They are an error, here and in the bounds.
CREATE OR REPLACE FUNCTION sortid__check_event_id(id uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__check(get_byte(uuid_send(id), 0) < 128,
        'expected an Event ID of a time up to 294247-01-10, found ' || id::text);

CREATE OR REPLACE FUNCTION event_id_time(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__time(
        sortid__int32(get_byte(uuid_send(id), sortid__check_event_id(id)), get_byte(uuid_send(id), 1),
            get_byte(uuid_send(id), 2), get_byte(uuid_send(id), 3)), '4294.967296 s',
        sortid__int32(get_byte(uuid_send(id), 4), get_byte(uuid_send(id), 5), get_byte(uuid_send(id), 6),
            get_byte(uuid_send(id), 7)), '1 microsecond');
COMMENT ON FUNCTION event_id_time(uuid) IS 'The time of an Event ID, to the microsecond.';

CREATE OR REPLACE FUNCTION event_id_text(id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN encode(uuid_send(id), 'hex');
COMMENT ON FUNCTION event_id_text(uuid) IS 'The text of an Event ID.';

CREATE OR REPLACE FUNCTION event_id_parse(input text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF input COLLATE "C" !~ '^[0-9A-Fa-f]{32}$' THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_text_representation',
            MESSAGE = format('expected an Event ID of 32 hex digits, found a text of length %s: %L',
                length(input), left(input, 60));
    END IF;
    RETURN input::uuid;
END $$;
COMMENT ON FUNCTION event_id_parse(text) IS 'The Event ID of a text; an error if the text is not one.';

CREATE OR REPLACE FUNCTION event_id_is_valid(input text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN input ~ '^[0-9A-Fa-f]{32}$';
COMMENT ON FUNCTION event_id_is_valid(text) IS 'Whether event_id_parse accepts a text; never an error.';

CREATE OR REPLACE FUNCTION event_id_try_parse(input text) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN event_id_is_valid(input) THEN input::uuid END;
COMMENT ON FUNCTION event_id_try_parse(text) IS 'The Event ID of a text; NULL if the text is not one.';

CREATE OR REPLACE FUNCTION event_id_text_time(input text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN event_id_time(event_id_parse(input));
COMMENT ON FUNCTION event_id_text_time(text) IS
    'The time of the Event ID of a text, to the microsecond; an error if the text is not one.';

CREATE OR REPLACE FUNCTION event_id_typed_text(prefix text, id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN id IS NOT NULL THEN sortid__prefix(prefix) || event_id_text(id) END;
COMMENT ON FUNCTION event_id_typed_text(text, uuid) IS 'A prefix, _ and the text of an Event ID.';

CREATE OR REPLACE FUNCTION event_id_typed_parse(prefix text, input text) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN event_id_parse(sortid__after_prefix(prefix, input, true));
COMMENT ON FUNCTION event_id_typed_parse(text, text) IS
    'The Event ID of a text with this prefix; an error if the text is not one.';

CREATE OR REPLACE FUNCTION event_id_typed_try_parse(prefix text, input text) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN event_id_try_parse(sortid__after_prefix(prefix, input, false));
COMMENT ON FUNCTION event_id_typed_try_parse(text, text) IS
    'The Event ID of a text with this prefix; NULL if the text is not one.';

CREATE OR REPLACE FUNCTION sortid__event_id_micros(moment timestamptz) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__micros(moment, '1970-01-01Z', '294247-01-10 04:00:54.775807Z', 'an Event ID');

CREATE OR REPLACE FUNCTION event_id_min_at(moment timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN encode(int8send(sortid__event_id_micros(moment))
        || '\x0000000000000000'::bytea, 'hex')::uuid;
COMMENT ON FUNCTION event_id_min_at(timestamptz) IS 'The least Event ID of the microsecond of a time.';

CREATE OR REPLACE FUNCTION event_id_max_at(moment timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN encode(int8send(sortid__event_id_micros(moment))
        || '\xffffffffffffffff'::bytea, 'hex')::uuid;
COMMENT ON FUNCTION event_id_max_at(timestamptz) IS 'The greatest Event ID of the microsecond of a time.';

CREATE OR REPLACE FUNCTION event_id_timestamp_us(id uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sortid__int64(uuid_send(id), 1 + sortid__check_event_id(id));
COMMENT ON FUNCTION event_id_timestamp_us(uuid) IS 'The time of an Event ID, in microseconds since 1970.';

CREATE OR REPLACE FUNCTION event_id_checksum(id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN encode(substr(uuid_send(id), 9, 4), 'hex');
COMMENT ON FUNCTION event_id_checksum(uuid) IS 'The checksum of an Event ID, as 8 hex digits.';

CREATE OR REPLACE FUNCTION event_id_ledger_id(id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN encode(substr(uuid_send(id), 13, 4), 'hex');
COMMENT ON FUNCTION event_id_ledger_id(uuid) IS 'The ledger ID of an Event ID, as 8 hex digits.';

CREATE OR REPLACE FUNCTION event_id_version(id uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN get_byte(uuid_send(id), 15) & 3;
COMMENT ON FUNCTION event_id_version(uuid) IS 'The version of the ledger ID of an Event ID, 0 to 3.';

-- For pg_partman 5.2 and later: p_time_encoder and p_time_decoder of a table that is partitioned by a column of Event
-- IDs.
CREATE OR REPLACE FUNCTION event_id_time_encoder(moment timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN event_id_min_at(moment);
COMMENT ON FUNCTION event_id_time_encoder(timestamptz) IS
    'The least Event ID of the microsecond of a time, for pg_partman.';

CREATE OR REPLACE FUNCTION event_id_time_decoder(id text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN event_id_time(id::uuid);
COMMENT ON FUNCTION event_id_time_decoder(text) IS 'The time of an Event ID as the text of a UUID, for pg_partman.';

-- For a column that has both. A UUID of version 7 begins with 48 bits of milliseconds, an Event ID with 64 of
-- microseconds. So those UUIDs of 2000 and later are greater than the Event IDs of before 3936. The literal is the
-- least such UUID.
CREATE OR REPLACE FUNCTION event_id_is_uuid7(id uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN id >= '00dc6acf-ac00-0000-0000-000000000000' AND sortid__has_version_7(id);
COMMENT ON FUNCTION event_id_is_uuid7(uuid) IS
    'Whether an ID of a column with Event IDs and UUIDs of version 7 is such a UUID.';

CREATE OR REPLACE FUNCTION event_id_or_uuid7_time(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN event_id_is_uuid7(id) THEN sortid__uuid7_time(id) ELSE event_id_time(id) END;
COMMENT ON FUNCTION event_id_or_uuid7_time(uuid) IS
    'The time of an Event ID, to the microsecond, or of a UUID of version 7, to the millisecond.';

-- As in euid_or_uuid7_within. No function here refuses an ID, because the planner may compute them before the ranges.
CREATE OR REPLACE FUNCTION event_id_or_uuid7_within(id uuid, since timestamptz, before timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (id >= event_id_min_at(since) AND id < event_id_min_at(before)
            OR id >= sortid__uuid7_min_at(since) AND id < sortid__uuid7_min_at(before))
        AND CASE WHEN since >= '2000-01-01Z' AND before <= '3936-01-01Z'
            THEN id < '00dc6acf-ac00-0000-0000-000000000000' OR sortid__has_version_7(id)
            WHEN event_id_is_uuid7(id) THEN sortid__next_milli(sortid__uuid7_time(id)) > since
                AND sortid__next_milli(sortid__uuid7_time(id)) <= before
            WHEN get_byte(uuid_send(id), 0) >= 128 THEN false
            ELSE event_id_time(id) >= since AND event_id_time(id) < before END;
COMMENT ON FUNCTION event_id_or_uuid7_within(uuid, timestamptz, timestamptz) IS
    'Whether the time of an Event ID or of a UUID of version 7 is in a span, whose end does not belong to it.';

-- There is no event_id_new: the checksum of an event needs its canonical JSON and the event before it.
