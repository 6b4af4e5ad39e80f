-- Functions for time-sortable IDs in MariaDB (10.11 and later) and MySQL (8.0 and later).
--
-- Running this file creates the functions in the current database. Running it again replaces them. Each function is
-- dropped and created, so do not run the file while queries use the functions. The file cannot run in sql_mode ORACLE.
-- On a server with a binary log, it needs the right SUPER, or log_bin_trust_function_creators = 1.
--
--   specification | column type          | time
--   SCRU160       | BINARY(20)           | DATETIME(3)
--   EUID          | BINARY(16)           | DATETIME(3)
--   Ulid-Flake    | BIGINT               | DATETIME(3)
--   RON UID       | BINARY(16)           | DATETIME(3)
--   Event ID      | BINARY(16)           | DATETIME(6)
--
-- All times are UTC, whatever the time zone of the session. Compare them with UTC_TIMESTAMP(6), not with NOW(6). The
-- server reads a TIMESTAMP in the time zone of the session, so SET time_zone = '+00:00' before you pass one.
--
-- Rows of a time span, with the index of the column:
--   SELECT * FROM orders WHERE id >= euid_min_at('2024-06-01') AND id < euid_min_at('2024-07-01');
--
-- These are errors with the SQLSTATE 22023: an ID of a wrong length or with forbidden bits, a text that is not an ID, a
-- time that does not fit. NULL gives NULL. The functions that end with _try_parse and _is_valid never fail, unless the
-- prefix of a typed ID breaks the rules.
--
-- Functions that begin with sortid__ are internal: the others call them, and they may change.
--
-- Texts are utf8mb4_bin, so case matters when you compare them with a literal. A column that ignores case decides for
-- itself: compare IDs, as in WHERE id = ron_uid_parse(text). That also uses the index.
--
-- Not possible:
-- - DATETIME ends with the year 9999, so a later time is an error. The functions that end with _timestamp_ms and
--   _timestamp_us return every time as a number.
-- - The type UUID of MariaDB refuses or changes some IDs, and sorts others by their last bytes. Use BINARY(16).
-- - Text must be in a character set that contains ASCII, such as utf8mb4 or latin1. Pass
--   CONVERT(column USING utf8mb4) if the column is in ucs2, utf16 or utf32.
-- - Stored functions cannot be part of a generated column, an index or a partition. Use expressions there.

-- ==== shared ====

DELIMITER $$

-- Fails. The message says what was expected and quotes what was found: text as it is, other bytes in hex.
DROP FUNCTION IF EXISTS sortid__error$$
CREATE FUNCTION sortid__error(expected VARCHAR(100) CHARACTER SET utf8mb4, found LONGBLOB) RETURNS BIGINT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
BEGIN
    DECLARE quoted VARCHAR(100) CHARACTER SET utf8mb4 DEFAULT IF(
        CONVERT(LEFT(found, 40) USING latin1) COLLATE latin1_bin REGEXP _latin1'[^ -~]',
        CONCAT('0x', HEX(LEFT(found, 20)), IF(LENGTH(found) > 20, '...', '.')),
        CONCAT(QUOTE(CONVERT(LEFT(found, 40) USING latin1)), IF(LENGTH(found) > 40, '...', '.')));
    -- A message has at most 128 characters.
    DECLARE message VARCHAR(128) CHARACTER SET utf8mb4
        DEFAULT LEFT(CONCAT('Expected ', expected, ', found ', quoted), 128);
    SIGNAL SQLSTATE '22023' SET MESSAGE_TEXT = message;
    RETURN NULL;
END$$

-- Base32hex digits as Crockford digits: the same 32 values in another alphabet, which leaves out I, L, O and U.
-- The greatest digit is replaced first, so that no digit is replaced twice. The argument is binary, because REPLACE is
-- faster for binary strings.
DROP FUNCTION IF EXISTS sortid__to_crockford$$
CREATE FUNCTION sortid__to_crockford(digits VARBINARY(27)) RETURNS VARBINARY(27)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
RETURN REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
    digits,
    'V', 'Z'), 'U', 'Y'), 'T', 'X'), 'S', 'W'), 'R', 'V'), 'Q', 'T'), 'P', 'S'),
    'O', 'R'), 'N', 'Q'), 'M', 'P'), 'L', 'N'), 'K', 'M'), 'J', 'K'), 'I', 'J')$$

-- The reverse, for digits of either case. I and L are read as 1, and O as 0.
DROP FUNCTION IF EXISTS sortid__from_crockford$$
CREATE FUNCTION sortid__from_crockford(digits VARCHAR(27) CHARACTER SET ascii) RETURNS VARBINARY(27)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
RETURN REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(
    REPLACE(REPLACE(REPLACE(CAST(UPPER(digits) AS BINARY), 'I', '1'), 'L', '1'), 'O', '0'),
    'J', 'I'), 'K', 'J'), 'M', 'K'), 'N', 'L'), 'P', 'M'), 'Q', 'N'), 'R', 'O'),
    'S', 'P'), 'T', 'Q'), 'V', 'R'), 'W', 'S'), 'X', 'T'), 'Y', 'U'), 'Z', 'V')$$

-- The least UUID of version 7 of a millisecond. Such a UUID begins with 48 bits of Unix time in milliseconds.
DROP FUNCTION IF EXISTS sortid__uuid7_min_at$$
CREATE FUNCTION sortid__uuid7_min_at(moment DATETIME(6)) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
BEGIN
    DECLARE micros BIGINT DEFAULT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', moment);
    IF moment IS NOT NULL AND IFNULL(micros, -1) < 0 THEN
        RETURN sortid__error('a time from 1970 on for a UUID of version 7', moment);
    END IF;
    RETURN UNHEX(RPAD(LPAD(HEX(micros DIV 1000), 12, '0'), 32, '0'));
END$$

-- A prefix of typed IDs and the _ behind it, or an error if the prefix breaks the rules of TypeID.
DROP FUNCTION IF EXISTS sortid__prefix$$
CREATE FUNCTION sortid__prefix(prefix LONGBLOB) RETURNS VARBINARY(64)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
BEGIN
    IF LENGTH(prefix) NOT BETWEEN 1 AND 63 OR LEFT(prefix, 1) = '_' OR RIGHT(prefix, 1) = '_'
        OR CONVERT(prefix USING latin1) COLLATE latin1_bin REGEXP _latin1'[^a-z_]'
    THEN
        RETURN sortid__error(
            'a prefix of 1 to 63 characters ''a'' to ''z'' and ''_'', with a letter at both ends', prefix);
    END IF;
    RETURN CONCAT(prefix, '_');
END$$

-- What follows the prefix and its _ in a text. Of a text that starts otherwise, the result is an error, or NULL if the
-- prefix is not required. Bytes are compared, so case matters.
DROP FUNCTION IF EXISTS sortid__after_prefix$$
CREATE FUNCTION sortid__after_prefix(prefix LONGBLOB, input LONGBLOB, is_required BOOLEAN) RETURNS LONGBLOB
DETERMINISTIC NO SQL SQL SECURITY INVOKER
BEGIN
    DECLARE start VARBINARY(64) DEFAULT IF(input IS NULL, NULL, sortid__prefix(prefix));
    IF LEFT(input, LENGTH(start)) = start THEN
        RETURN SUBSTR(input, LENGTH(start) + 1);
    END IF;
    IF is_required AND start IS NOT NULL THEN
        RETURN sortid__error(CONCAT('the prefix "', start, '"'), input);
    END IF;
    RETURN NULL;
END$$

DELIMITER ;

-- ==== scru160 ====
-- BINARY(20): timestamp 48 bits (bytes 1 to 6), counter 16, random16 16, random80 80 bits.

DELIMITER $$

-- X'E677D21FDC00' are the milliseconds of the year 10000, which DATETIME cannot hold.
DROP FUNCTION IF EXISTS scru160_time$$
CREATE FUNCTION scru160_time(id VARBINARY(255)) RETURNS DATETIME(3)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of a SCRU160, to the millisecond.'
BEGIN
    IF LENGTH(id) <> 20 OR id >= X'E677D21FDC00' THEN
        RETURN sortid__error('a SCRU160 of 20 bytes and before the year 10000', id);
    END IF;
    RETURN TIMESTAMP'1970-01-01 00:00:00'
        + INTERVAL CAST(CONV(HEX(SUBSTR(id, 1, 6)), 16, 10) AS UNSIGNED) * 1000 MICROSECOND;
END$$

-- Five bytes are eight digits.
DROP FUNCTION IF EXISTS scru160_text$$
CREATE FUNCTION scru160_text(id VARBINARY(255)) RETURNS CHAR(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The text of a SCRU160.'
BEGIN
    IF LENGTH(id) <> 20 THEN
        RETURN sortid__error('a SCRU160 of 20 bytes', id);
    END IF;
    RETURN CONCAT(LPAD(CONV(HEX(SUBSTR(id, 1, 5)), 16, 32), 8, '0'), LPAD(CONV(HEX(SUBSTR(id, 6, 5)), 16, 32), 8, '0'),
        LPAD(CONV(HEX(SUBSTR(id, 11, 5)), 16, 32), 8, '0'), LPAD(CONV(HEX(SUBSTR(id, 16, 5)), 16, 32), 8, '0'));
END$$

-- The length is compared first: a long text costs nothing, and REGEXP would accept a line feed at the end.
DROP FUNCTION IF EXISTS scru160_is_valid$$
CREATE FUNCTION scru160_is_valid(input LONGBLOB) RETURNS BOOLEAN
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'Whether scru160_parse accepts a text; never an error.'
RETURN LENGTH(input) IN (32, 40)
    AND CONVERT(input USING latin1) COLLATE latin1_bin REGEXP _latin1'^([0-9A-Va-v]{32}|[0-9A-Fa-f]{40})$'$$

DROP FUNCTION IF EXISTS scru160_try_parse$$
CREATE FUNCTION scru160_try_parse(input LONGBLOB) RETURNS BINARY(20)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The SCRU160 of a text; NULL if the text is not one.'
BEGIN
    IF NOT scru160_is_valid(input) THEN
        RETURN NULL;
    END IF;
    IF LENGTH(input) = 40 THEN
        RETURN UNHEX(input);
    END IF;
    RETURN UNHEX(CONCAT(
        LPAD(CONV(SUBSTR(input, 1, 8), 32, 16), 10, '0'), LPAD(CONV(SUBSTR(input, 9, 8), 32, 16), 10, '0'),
        LPAD(CONV(SUBSTR(input, 17, 8), 32, 16), 10, '0'), LPAD(CONV(SUBSTR(input, 25, 8), 32, 16), 10, '0')));
END$$

DROP FUNCTION IF EXISTS scru160_parse$$
CREATE FUNCTION scru160_parse(input LONGBLOB) RETURNS BINARY(20)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The SCRU160 of a text; an error if the text is not one.'
BEGIN
    DECLARE id BINARY(20) DEFAULT scru160_try_parse(input);
    IF id IS NULL AND input IS NOT NULL THEN
        RETURN sortid__error('the 32 base32hex or 40 hex digits of a SCRU160', input);
    END IF;
    RETURN id;
END$$

DROP FUNCTION IF EXISTS scru160_text_time$$
CREATE FUNCTION scru160_text_time(input LONGBLOB) RETURNS DATETIME(3)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of the SCRU160 of a text, to the millisecond; an error if the text is not one.'
RETURN scru160_time(scru160_parse(input))$$

DROP FUNCTION IF EXISTS scru160_typed_text$$
CREATE FUNCTION scru160_typed_text(prefix LONGBLOB, id VARBINARY(255))
RETURNS VARCHAR(96) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'A prefix, _ and the text of a SCRU160.'
RETURN IF(id IS NULL, NULL, CONCAT(sortid__prefix(prefix), scru160_text(id)))$$

DROP FUNCTION IF EXISTS scru160_typed_parse$$
CREATE FUNCTION scru160_typed_parse(prefix LONGBLOB, input LONGBLOB) RETURNS BINARY(20)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The SCRU160 of a text with this prefix; an error if the text is not one.'
RETURN scru160_parse(sortid__after_prefix(prefix, input, TRUE))$$

DROP FUNCTION IF EXISTS scru160_typed_try_parse$$
CREATE FUNCTION scru160_typed_try_parse(prefix LONGBLOB, input LONGBLOB) RETURNS BINARY(20)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The SCRU160 of a text with this prefix; NULL if the text is not one.'
RETURN scru160_try_parse(sortid__after_prefix(prefix, input, FALSE))$$

DROP FUNCTION IF EXISTS scru160_min_at$$
CREATE FUNCTION scru160_min_at(moment DATETIME(6)) RETURNS BINARY(20)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The least SCRU160 of the millisecond of a time.'
BEGIN
    DECLARE micros BIGINT DEFAULT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', moment);
    IF moment IS NOT NULL AND IFNULL(micros, -1) < 0 THEN
        RETURN sortid__error('a time from 1970 on for a SCRU160', moment);
    END IF;
    RETURN UNHEX(RPAD(LPAD(HEX(micros DIV 1000), 12, '0'), 40, '0'));
END$$

DROP FUNCTION IF EXISTS scru160_max_at$$
CREATE FUNCTION scru160_max_at(moment DATETIME(6)) RETURNS BINARY(20)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The greatest SCRU160 of the millisecond of a time.'
BEGIN
    DECLARE micros BIGINT DEFAULT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', moment);
    IF moment IS NOT NULL AND IFNULL(micros, -1) < 0 THEN
        RETURN sortid__error('a time from 1970 on for a SCRU160', moment);
    END IF;
    RETURN UNHEX(RPAD(LPAD(HEX(micros DIV 1000), 12, '0'), 40, 'F'));
END$$

DROP FUNCTION IF EXISTS scru160_timestamp_ms$$
CREATE FUNCTION scru160_timestamp_ms(id VARBINARY(255)) RETURNS BIGINT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of a SCRU160, in milliseconds since 1970.'
BEGIN
    IF LENGTH(id) <> 20 THEN
        RETURN sortid__error('a SCRU160 of 20 bytes', id);
    END IF;
    RETURN CAST(CONV(HEX(SUBSTR(id, 1, 6)), 16, 10) AS UNSIGNED);
END$$

DROP FUNCTION IF EXISTS scru160_counter$$
CREATE FUNCTION scru160_counter(id VARBINARY(255)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The counter of a SCRU160, 16 bits.'
BEGIN
    IF LENGTH(id) <> 20 THEN
        RETURN sortid__error('a SCRU160 of 20 bytes', id);
    END IF;
    RETURN CAST(CONV(HEX(SUBSTR(id, 7, 2)), 16, 10) AS UNSIGNED);
END$$

DROP FUNCTION IF EXISTS scru160_random16$$
CREATE FUNCTION scru160_random16(id VARBINARY(255)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The random bits after the counter of a SCRU160, 16 bits.'
BEGIN
    IF LENGTH(id) <> 20 THEN
        RETURN sortid__error('a SCRU160 of 20 bytes', id);
    END IF;
    RETURN CAST(CONV(HEX(SUBSTR(id, 9, 2)), 16, 10) AS UNSIGNED);
END$$

DROP FUNCTION IF EXISTS scru160_random80$$
CREATE FUNCTION scru160_random80(id VARBINARY(255)) RETURNS BINARY(10)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The last random bits of a SCRU160, 10 bytes.'
BEGIN
    IF LENGTH(id) <> 20 THEN
        RETURN sortid__error('a SCRU160 of 20 bytes', id);
    END IF;
    RETURN SUBSTR(id, 11, 10);
END$$

-- A new ID. Each session is a generator of its own, which keeps the timestamp and the counter of its last ID in
-- @sortid_scru160. The IDs of a session ascend. Those of different sessions are ordered by the millisecond only.
-- If the clock goes back by at most 10 s, the last timestamp stays; if by more, the IDs go back to the clock.
-- UUID() is a UUID of version 1, which has the time of its call: UTC, in units of 100 ns since 1582-10-15. NOW and
-- UTC_TIMESTAMP stand still during a statement, and SYSDATE is ambiguous when summer time ends.
-- With binlog_format=STATEMENT, a replica would make other IDs: use ROW or MIXED.
DROP FUNCTION IF EXISTS scru160_new$$
CREATE FUNCTION scru160_new() RETURNS BINARY(20)
NOT DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'A new SCRU160, greater than those that the session made before.'
BEGIN
    -- Someone may have set the variable to anything. A value that is not 8 bytes long is ignored.
    DECLARE last VARBINARY(9) DEFAULT LEFT(CAST(@sortid_scru160 AS BINARY), 9);
    DECLARE last_millis BIGINT DEFAULT IF(LENGTH(last) = 8, CONV(HEX(LEFT(last, 6)), 16, 10), NULL);
    DECLARE counter INT DEFAULT IF(LENGTH(last) = 8, CONV(HEX(RIGHT(last, 2)), 16, 10), NULL);
    DECLARE millis BIGINT;
    DECLARE clock CHAR(36) CHARACTER SET ascii;
    DECLARE random VARBINARY(14) DEFAULT RANDOM_BYTES(14);
    DECLARE naps INT DEFAULT 0;
    IF random IS NULL THEN
        RETURN sortid__error('14 random bytes for a SCRU160', 'NULL');
    END IF;
    next_millis: LOOP
        SET clock = UUID();
        SET millis = CAST(CONV(CONCAT(SUBSTR(clock, 16, 3), SUBSTR(clock, 10, 4), SUBSTR(clock, 1, 8)), 16, 10)
            AS SIGNED) DIV 10000 - 12219292800000;
        IF last_millis IS NULL OR millis > last_millis OR millis < last_millis - 10000 THEN
            -- The counter starts at 15 random bits, so that at least 32 768 IDs follow.
            SET counter = CONV(HEX(LEFT(random, 2)), 16, 10) & 32767;
            LEAVE next_millis;
        ELSEIF counter < 65535 THEN
            SET millis = last_millis;
            SET counter = counter + 1;
            LEAVE next_millis;
        ELSEIF naps >= 12000 THEN
            RETURN sortid__error('a clock that goes on, to make a SCRU160', millis);
        END IF;
        SET naps = naps + 1;
        DO SLEEP(0.001);
    END LOOP;
    SET @sortid_scru160 = UNHEX(CONCAT(LPAD(HEX(millis), 12, '0'), LPAD(HEX(counter), 4, '0')));
    RETURN CONCAT(@sortid_scru160, RIGHT(random, 12));
END$$

DELIMITER ;

-- ==== euid ====
-- BINARY(16): timestamp 45 bits, random_upper and extension 15 bits, extension_bits 4, random_high 32, random_low 32.

DELIMITER $$

DROP FUNCTION IF EXISTS euid_time$$
CREATE FUNCTION euid_time(id VARBINARY(255)) RETURNS DATETIME(3)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of an EUID, to the millisecond.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an EUID of 16 bytes', id);
    END IF;
    RETURN TIMESTAMP'1970-01-01 00:00:00'
        + INTERVAL (CAST(CONV(HEX(SUBSTR(id, 1, 6)), 16, 10) AS UNSIGNED) >> 3) * 1000 MICROSECOND;
END$$

-- 15 hex digits are 60 bits, which 12 digits of the text hold. Its last 3 digits hold the last byte and the check.
DROP FUNCTION IF EXISTS euid_text$$
CREATE FUNCTION euid_text(id VARBINARY(255)) RETURNS CHAR(27) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The text of an EUID.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an EUID of 16 bytes', id);
    END IF;
    RETURN sortid__to_crockford(CONCAT(
        LPAD(CONV(SUBSTR(HEX(id), 1, 15), 16, 32), 12, '0'),
        LPAD(CONV(SUBSTR(HEX(id), 16, 15), 16, 32), 12, '0'),
        LPAD(CONV(ORD(SUBSTR(id, 16)) << 7 | euid_check(id), 10, 32), 3, '0')));
END$$

DROP FUNCTION IF EXISTS euid_try_parse$$
CREATE FUNCTION euid_try_parse(input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The EUID of a text; NULL if the text is not one.'
BEGIN
    DECLARE digits VARBINARY(27);
    DECLARE high, middle, low BIGINT UNSIGNED;
    -- The length is compared first: a long text costs nothing, and REGEXP would accept a line feed at the end.
    IF LENGTH(input) <> 27
        OR CONVERT(input USING latin1) COLLATE latin1_bin NOT REGEXP _latin1'^[0-9A-TV-Za-tv-z]{27}$'
    THEN
        RETURN NULL;
    END IF;
    -- 12 digits are 60 bits, and 15 hex digits. The last 3 are the last byte of the ID and the 7 bits of the check.
    SET digits = sortid__from_crockford(input);
    SET high = CONV(SUBSTR(digits, 1, 12), 32, 10);
    SET middle = CONV(SUBSTR(digits, 13, 12), 32, 10);
    SET low = CONV(SUBSTR(digits, 25, 3), 32, 10);
    -- The check is the ID modulo 127, or 127, which means that there is none. The ID is the sum of high * 2^68,
    -- middle * 2^8 and its last byte; modulo 127, 2^68 is 32 and 2^8 is 2.
    IF (low & 127) NOT IN (127, (high % 127 * 32 + middle % 127 * 2 + (low >> 7)) % 127) THEN
        RETURN NULL;
    END IF;
    RETURN UNHEX(CONCAT(LPAD(HEX(high), 15, '0'), LPAD(HEX(middle), 15, '0'), LPAD(HEX(low >> 7), 2, '0')));
END$$

DROP FUNCTION IF EXISTS euid_is_valid$$
CREATE FUNCTION euid_is_valid(input LONGBLOB) RETURNS BOOLEAN
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'Whether euid_parse accepts a text; never an error.'
RETURN IF(input IS NULL, NULL, euid_try_parse(input) IS NOT NULL)$$

DROP FUNCTION IF EXISTS euid_parse$$
CREATE FUNCTION euid_parse(input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The EUID of a text; an error if the text is not one.'
BEGIN
    DECLARE id BINARY(16) DEFAULT euid_try_parse(input);
    IF id IS NULL AND input IS NOT NULL THEN
        RETURN sortid__error('the 27 Crockford digits of an EUID, with its check', input);
    END IF;
    RETURN id;
END$$

DROP FUNCTION IF EXISTS euid_text_time$$
CREATE FUNCTION euid_text_time(input LONGBLOB) RETURNS DATETIME(3)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of the EUID of a text, to the millisecond; an error if the text is not one.'
RETURN euid_time(euid_parse(input))$$

DROP FUNCTION IF EXISTS euid_typed_text$$
CREATE FUNCTION euid_typed_text(prefix LONGBLOB, id VARBINARY(255))
RETURNS VARCHAR(96) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'A prefix, _ and the text of an EUID.'
RETURN IF(id IS NULL, NULL, CONCAT(sortid__prefix(prefix), euid_text(id)))$$

DROP FUNCTION IF EXISTS euid_typed_parse$$
CREATE FUNCTION euid_typed_parse(prefix LONGBLOB, input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The EUID of a text with this prefix; an error if the text is not one.'
RETURN euid_parse(sortid__after_prefix(prefix, input, TRUE))$$

DROP FUNCTION IF EXISTS euid_typed_try_parse$$
CREATE FUNCTION euid_typed_try_parse(prefix LONGBLOB, input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The EUID of a text with this prefix; NULL if the text is not one.'
RETURN euid_try_parse(sortid__after_prefix(prefix, input, FALSE))$$

-- 35184372088831 is 2^45 - 1.
DROP FUNCTION IF EXISTS euid_min_at$$
CREATE FUNCTION euid_min_at(moment DATETIME(6)) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The least EUID of the millisecond of a time.'
BEGIN
    DECLARE micros BIGINT DEFAULT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', moment);
    IF moment IS NOT NULL AND IFNULL(micros, -1) NOT BETWEEN 0 AND 35184372088831999 THEN
        RETURN sortid__error('a time from 1970 to 3084-12-12 12:41:28.831 for an EUID', moment);
    END IF;
    RETURN UNHEX(RPAD(LPAD(HEX(micros DIV 1000 << 3), 12, '0'), 32, '0'));
END$$

DROP FUNCTION IF EXISTS euid_max_at$$
CREATE FUNCTION euid_max_at(moment DATETIME(6)) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The greatest EUID of the millisecond of a time.'
BEGIN
    DECLARE micros BIGINT DEFAULT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', moment);
    IF moment IS NOT NULL AND IFNULL(micros, -1) NOT BETWEEN 0 AND 35184372088831999 THEN
        RETURN sortid__error('a time from 1970 to 3084-12-12 12:41:28.831 for an EUID', moment);
    END IF;
    RETURN UNHEX(RPAD(LPAD(HEX(micros DIV 1000 << 3 | 7), 12, '0'), 32, 'F'));
END$$

DROP FUNCTION IF EXISTS euid_timestamp_ms$$
CREATE FUNCTION euid_timestamp_ms(id VARBINARY(255)) RETURNS BIGINT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of an EUID, in milliseconds since 1970.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an EUID of 16 bytes', id);
    END IF;
    RETURN CAST(CONV(HEX(SUBSTR(id, 1, 6)), 16, 10) AS UNSIGNED) >> 3;
END$$

-- The 15 bits before extension_bits, without those of the extension.
DROP FUNCTION IF EXISTS euid_random_upper$$
CREATE FUNCTION euid_random_upper(id VARBINARY(255)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The random bits above the extension of an EUID, at most 15 bits.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an EUID of 16 bytes', id);
    END IF;
    RETURN (CAST(CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) AS UNSIGNED) >> 4 & 32767) >> (ORD(SUBSTR(id, 8)) & 15);
END$$

-- NULL if there is no extension.
DROP FUNCTION IF EXISTS euid_extension$$
CREATE FUNCTION euid_extension(id VARBINARY(255)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The extension of an EUID, at most 15 bits, or NULL if there is none.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an EUID of 16 bytes', id);
    END IF;
    RETURN IF(ORD(SUBSTR(id, 8)) & 15 = 0, NULL,
        (CAST(CONV(HEX(SUBSTR(id, 6, 3)), 16, 10) AS UNSIGNED) >> 4) % (1 << (ORD(SUBSTR(id, 8)) & 15)));
END$$

DROP FUNCTION IF EXISTS euid_extension_bits$$
CREATE FUNCTION euid_extension_bits(id VARBINARY(255)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The number of bits of the extension of an EUID, 0 to 15.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an EUID of 16 bytes', id);
    END IF;
    RETURN ORD(SUBSTR(id, 8)) & 15;
END$$

DROP FUNCTION IF EXISTS euid_random_high$$
CREATE FUNCTION euid_random_high(id VARBINARY(255)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The random bits of an EUID that count up within a millisecond, 32 bits.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an EUID of 16 bytes', id);
    END IF;
    RETURN CAST(CONV(HEX(SUBSTR(id, 9, 4)), 16, 10) AS UNSIGNED);
END$$

DROP FUNCTION IF EXISTS euid_random_low$$
CREATE FUNCTION euid_random_low(id VARBINARY(255)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The last random bits of an EUID, 32 bits.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an EUID of 16 bytes', id);
    END IF;
    RETURN CAST(CONV(HEX(SUBSTR(id, 13, 4)), 16, 10) AS UNSIGNED);
END$$

-- The ID modulo 127. 2^56 is 1 modulo 127, so the sum of groups of 7 bytes has the same remainder.
DROP FUNCTION IF EXISTS euid_check$$
CREATE FUNCTION euid_check(id VARBINARY(255)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The check in the text of an EUID, 0 to 126.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an EUID of 16 bytes', id);
    END IF;
    RETURN (CAST(CONV(HEX(SUBSTR(id, 1, 2)), 16, 10) AS UNSIGNED)
        + CAST(CONV(HEX(SUBSTR(id, 3, 7)), 16, 10) AS UNSIGNED)
        + CAST(CONV(HEX(SUBSTR(id, 10, 7)), 16, 10) AS UNSIGNED)) % 127;
END$$

-- For a column that has both. A UUID of version 7 begins with 48 bits of milliseconds, an EUID with 45. So those UUIDs
-- of before 2209-12-30 are less than the EUIDs of 2000 and later, which begin with the literal or are greater.
DROP FUNCTION IF EXISTS euid_is_uuid7$$
CREATE FUNCTION euid_is_uuid7(id VARBINARY(255)) RETURNS BOOLEAN
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'Whether an ID of a column with EUIDs and UUIDs of version 7 is such a UUID.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an EUID or a UUID of 16 bytes', id);
    END IF;
    RETURN id < X'06E3567D6000' AND ORD(SUBSTR(id, 7)) >> 4 = 7 AND ORD(SUBSTR(id, 9)) >> 6 = 2;
END$$

DROP FUNCTION IF EXISTS euid_or_uuid7_time$$
CREATE FUNCTION euid_or_uuid7_time(id VARBINARY(255)) RETURNS DATETIME(3)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of an EUID or of a UUID of version 7, to the millisecond.'
BEGIN
    IF euid_is_uuid7(id) THEN
        RETURN TIMESTAMP'1970-01-01 00:00:00'
            + INTERVAL CAST(CONV(HEX(SUBSTR(id, 1, 6)), 16, 10) AS UNSIGNED) * 1000 MICROSECOND;
    END IF;
    RETURN euid_time(id);
END$$

-- A query by time of such a column has two ranges: that of euid_min_at, and this one.
DROP FUNCTION IF EXISTS euid_uuid7_min_at$$
CREATE FUNCTION euid_uuid7_min_at(moment DATETIME(6)) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The least UUID of version 7 of the millisecond of a time.'
RETURN sortid__uuid7_min_at(moment)$$

-- A new ID, without an extension. Each session is a generator of its own, which keeps the first 12 bytes of its last ID
-- in @sortid_euid. The IDs of a session ascend. Those of different sessions are ordered by the millisecond only.
-- If the clock goes back by at most 10 s, the last timestamp stays; if by more, the IDs go back to the clock.
-- UUID() is a UUID of version 1, which has the time of its call: UTC, in units of 100 ns since 1582-10-15. NOW and
-- UTC_TIMESTAMP stand still during a statement, and SYSDATE is ambiguous when summer time ends.
-- With binlog_format=STATEMENT, a replica would make other IDs: use ROW or MIXED.
DROP FUNCTION IF EXISTS euid_new$$
CREATE FUNCTION euid_new() RETURNS BINARY(16)
NOT DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'A new EUID, greater than those that the session made before.'
BEGIN
    -- Someone may have set the variable to anything. A value that is not 12 bytes long is ignored.
    DECLARE last VARBINARY(13) DEFAULT LEFT(CAST(@sortid_euid AS BINARY), 13);
    DECLARE last_millis BIGINT DEFAULT IF(LENGTH(last) = 12, CONV(HEX(LEFT(last, 6)), 16, 10) >> 3, NULL);
    DECLARE random_high BIGINT DEFAULT IF(LENGTH(last) = 12, CONV(HEX(RIGHT(last, 4)), 16, 10), NULL);
    DECLARE millis BIGINT;
    DECLARE clock CHAR(36) CHARACTER SET ascii;
    DECLARE random VARBINARY(10) DEFAULT RANDOM_BYTES(10);
    DECLARE naps INT DEFAULT 0;
    IF random IS NULL THEN
        RETURN sortid__error('10 random bytes for an EUID', 'NULL');
    END IF;
    next_millis: LOOP
        SET clock = UUID();
        SET millis = CAST(CONV(CONCAT(SUBSTR(clock, 16, 3), SUBSTR(clock, 10, 4), SUBSTR(clock, 1, 8)), 16, 10)
            AS SIGNED) DIV 10000 - 12219292800000;
        IF last_millis IS NULL OR millis > last_millis OR millis < last_millis - 10000 THEN
            -- The timestamp, 15 random bits, 4 bits for an extension of no bits, random_high.
            SET @sortid_euid = CONCAT(UNHEX(LPAD(HEX(
                millis << 19 | (CONV(HEX(LEFT(random, 2)), 16, 10) & 32767) << 4), 16, '0')), SUBSTR(random, 3, 4));
            LEAVE next_millis;
        ELSEIF random_high < 4294967295 THEN
            SET @sortid_euid = CONCAT(LEFT(last, 8), UNHEX(LPAD(HEX(random_high + 1), 8, '0')));
            LEAVE next_millis;
        ELSEIF naps >= 12000 THEN
            RETURN sortid__error('a clock that goes on, to make an EUID', millis);
        END IF;
        SET naps = naps + 1;
        DO SLEEP(0.001);
    END LOOP;
    RETURN CONCAT(@sortid_euid, RIGHT(random, 4));
END$$

DELIMITER ;

-- ==== ulid_flake ====
-- BIGINT, not negative: timestamp 43 bits, in milliseconds since 2024; randomness 20 bits. A scalable ID divides these
-- into randomness 15 bits and scalability 5 bits. The type of the arguments is DECIMAL(20), because BIGINT would cut
-- greater integers to its greatest one, without an error if sql_mode is not strict.

DELIMITER $$

DROP FUNCTION IF EXISTS ulid_flake_time$$
CREATE FUNCTION ulid_flake_time(id DECIMAL(20)) RETURNS DATETIME(3)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of a Ulid-Flake, to the millisecond.'
BEGIN
    IF id NOT BETWEEN 0 AND 9223372036854775807 THEN
        RETURN sortid__error('a Ulid-Flake from 0 to 9223372036854775807', id);
    END IF;
    RETURN TIMESTAMP'2024-01-01 00:00:00' + INTERVAL (CAST(id AS UNSIGNED) >> 20) * 1000 MICROSECOND;
END$$

DROP FUNCTION IF EXISTS ulid_flake_text$$
CREATE FUNCTION ulid_flake_text(id DECIMAL(20)) RETURNS CHAR(13) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The text of a Ulid-Flake.'
BEGIN
    IF id NOT BETWEEN 0 AND 9223372036854775807 THEN
        RETURN sortid__error('a Ulid-Flake from 0 to 9223372036854775807', id);
    END IF;
    RETURN sortid__to_crockford(LPAD(CONV(id, 10, 32), 13, '0'));
END$$

-- The length is compared first: a long text costs nothing, and REGEXP would accept a line feed at the end.
DROP FUNCTION IF EXISTS ulid_flake_is_valid$$
CREATE FUNCTION ulid_flake_is_valid(input LONGBLOB) RETURNS BOOLEAN
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'Whether ulid_flake_parse accepts a text; never an error.'
RETURN LENGTH(input) = 13
    AND CONVERT(input USING latin1) COLLATE latin1_bin REGEXP _latin1'^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}$'$$

DROP FUNCTION IF EXISTS ulid_flake_try_parse$$
CREATE FUNCTION ulid_flake_try_parse(input LONGBLOB) RETURNS BIGINT
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The Ulid-Flake of a text; NULL if the text is not one.'
RETURN IF(ulid_flake_is_valid(input), CONV(sortid__from_crockford(input), 32, 10), NULL)$$

DROP FUNCTION IF EXISTS ulid_flake_parse$$
CREATE FUNCTION ulid_flake_parse(input LONGBLOB) RETURNS BIGINT
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The Ulid-Flake of a text; an error if the text is not one.'
BEGIN
    DECLARE id BIGINT DEFAULT ulid_flake_try_parse(input);
    IF id IS NULL AND input IS NOT NULL THEN
        RETURN sortid__error('the 13 Crockford digits of a Ulid-Flake, the first at most 7', input);
    END IF;
    RETURN id;
END$$

DROP FUNCTION IF EXISTS ulid_flake_text_time$$
CREATE FUNCTION ulid_flake_text_time(input LONGBLOB) RETURNS DATETIME(3)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of the Ulid-Flake of a text, to the millisecond; an error if the text is not one.'
RETURN ulid_flake_time(ulid_flake_parse(input))$$

DROP FUNCTION IF EXISTS ulid_flake_typed_text$$
CREATE FUNCTION ulid_flake_typed_text(prefix LONGBLOB, id DECIMAL(20))
RETURNS VARCHAR(96) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'A prefix, _ and the text of a Ulid-Flake.'
RETURN IF(id IS NULL, NULL, CONCAT(sortid__prefix(prefix), ulid_flake_text(id)))$$

DROP FUNCTION IF EXISTS ulid_flake_typed_parse$$
CREATE FUNCTION ulid_flake_typed_parse(prefix LONGBLOB, input LONGBLOB) RETURNS BIGINT
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The Ulid-Flake of a text with this prefix; an error if the text is not one.'
RETURN ulid_flake_parse(sortid__after_prefix(prefix, input, TRUE))$$

DROP FUNCTION IF EXISTS ulid_flake_typed_try_parse$$
CREATE FUNCTION ulid_flake_typed_try_parse(prefix LONGBLOB, input LONGBLOB) RETURNS BIGINT
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The Ulid-Flake of a text with this prefix; NULL if the text is not one.'
RETURN ulid_flake_try_parse(sortid__after_prefix(prefix, input, FALSE))$$

-- 8796093022207 is 2^43 - 1.
DROP FUNCTION IF EXISTS ulid_flake_min_at$$
CREATE FUNCTION ulid_flake_min_at(moment DATETIME(6)) RETURNS BIGINT
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The least Ulid-Flake of the millisecond of a time.'
BEGIN
    DECLARE micros BIGINT DEFAULT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2024-01-01 00:00:00', moment);
    IF moment IS NOT NULL AND IFNULL(micros, -1) NOT BETWEEN 0 AND 8796093022207999 THEN
        RETURN sortid__error('a time from 2024 to 2302-09-27 15:10:22.207 for a Ulid-Flake', moment);
    END IF;
    RETURN micros DIV 1000 << 20;
END$$

DROP FUNCTION IF EXISTS ulid_flake_max_at$$
CREATE FUNCTION ulid_flake_max_at(moment DATETIME(6)) RETURNS BIGINT
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The greatest Ulid-Flake of the millisecond of a time.'
BEGIN
    DECLARE micros BIGINT DEFAULT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2024-01-01 00:00:00', moment);
    IF moment IS NOT NULL AND IFNULL(micros, -1) NOT BETWEEN 0 AND 8796093022207999 THEN
        RETURN sortid__error('a time from 2024 to 2302-09-27 15:10:22.207 for a Ulid-Flake', moment);
    END IF;
    RETURN micros DIV 1000 << 20 | ((1 << 20) - 1);
END$$

DROP FUNCTION IF EXISTS ulid_flake_timestamp_ms$$
CREATE FUNCTION ulid_flake_timestamp_ms(id DECIMAL(20)) RETURNS BIGINT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of a Ulid-Flake, in milliseconds since 2024.'
BEGIN
    IF id NOT BETWEEN 0 AND 9223372036854775807 THEN
        RETURN sortid__error('a Ulid-Flake from 0 to 9223372036854775807', id);
    END IF;
    RETURN CAST(id AS UNSIGNED) >> 20;
END$$

DROP FUNCTION IF EXISTS ulid_flake_randomness$$
CREATE FUNCTION ulid_flake_randomness(id DECIMAL(20)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The random bits of a Ulid-Flake, 20 bits.'
BEGIN
    IF id NOT BETWEEN 0 AND 9223372036854775807 THEN
        RETURN sortid__error('a Ulid-Flake from 0 to 9223372036854775807', id);
    END IF;
    RETURN CAST(id AS UNSIGNED) % (1 << 20);
END$$

DROP FUNCTION IF EXISTS ulid_flake_scalable_randomness$$
CREATE FUNCTION ulid_flake_scalable_randomness(id DECIMAL(20)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The random bits of a Ulid-Flake of the scalable version, 15 bits.'
BEGIN
    IF id NOT BETWEEN 0 AND 9223372036854775807 THEN
        RETURN sortid__error('a Ulid-Flake from 0 to 9223372036854775807', id);
    END IF;
    RETURN (CAST(id AS UNSIGNED) >> 5) % (1 << 15);
END$$

DROP FUNCTION IF EXISTS ulid_flake_scalability$$
CREATE FUNCTION ulid_flake_scalability(id DECIMAL(20)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The scalability of a Ulid-Flake of the scalable version, 5 bits.'
BEGIN
    IF id NOT BETWEEN 0 AND 9223372036854775807 THEN
        RETURN sortid__error('a Ulid-Flake from 0 to 9223372036854775807', id);
    END IF;
    RETURN CAST(id AS UNSIGNED) & 31;
END$$

DELIMITER ;

-- ==== ron_uid ====
-- BINARY(16): 4 bits 0, value 60 bits, 2 bits 0, scheme 2 bits, origin 60 bits. If the value is a time, it is a date:
-- months since 2010 (bytes 1 and 2), day - 1, hour, minute and second of 6 bits each (bytes 3 to 5), milliseconds and
-- sequence number of 12 bits each (bytes 6 to 8).

DELIMITER $$

-- NULL for a name or a hash (scheme 0 or 1), and for a value that is not a date.
DROP FUNCTION IF EXISTS ron_uid_time$$
CREATE FUNCTION ron_uid_time(id VARBINARY(255)) RETURNS DATETIME(3)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of a RON UID, to the millisecond; NULL of a name, a hash, or a value that is not a date.'
BEGIN
    DECLARE months INT UNSIGNED DEFAULT CONV(HEX(SUBSTR(id, 1, 2)), 16, 10);
    DECLARE clock INT UNSIGNED DEFAULT CONV(HEX(SUBSTR(id, 3, 3)), 16, 10);
    DECLARE millis INT UNSIGNED DEFAULT CONV(HEX(SUBSTR(id, 6, 2)), 16, 10) >> 4;
    DECLARE month_start DATETIME DEFAULT TIMESTAMP'2010-01-01 00:00:00' + INTERVAL months MONTH;
    IF LENGTH(id) <> 16 OR ORD(id) > 15 OR ORD(SUBSTR(id, 9)) > 63 THEN
        RETURN sortid__error('a RON UID of 16 bytes: 0 in bits 0-3 and 64-65', id);
    END IF;
    -- The month 4032 is January 2346: its digits are those of the value "never".
    IF ORD(SUBSTR(id, 9)) < 32 OR months >= 4032 OR clock >> 18 >= DAY(LAST_DAY(month_start))
        OR (clock >> 12 & 63) > 23 OR (clock >> 6 & 63) > 59 OR (clock & 63) > 59 OR millis > 999
    THEN
        RETURN NULL;
    END IF;
    RETURN month_start + INTERVAL ((clock >> 18) * 86400000 + (clock >> 12 & 63) * 3600000 + (clock >> 6 & 63) * 60000
        + (clock & 63) * 1000 + millis) * 1000 MICROSECOND;
END$$

-- The ten digits of 6 bits without the zeros at the end; an empty text for 0.
DROP FUNCTION IF EXISTS sortid__ron_uid_digits$$
CREATE FUNCTION sortid__ron_uid_digits(number BIGINT UNSIGNED) RETURNS VARBINARY(10)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
BEGIN
    DECLARE alphabet BINARY(64) DEFAULT '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~';
    RETURN TRIM(TRAILING '0' FROM CONCAT(
        SUBSTR(alphabet, (number >> 54 & 63) + 1, 1), SUBSTR(alphabet, (number >> 48 & 63) + 1, 1),
        SUBSTR(alphabet, (number >> 42 & 63) + 1, 1), SUBSTR(alphabet, (number >> 36 & 63) + 1, 1),
        SUBSTR(alphabet, (number >> 30 & 63) + 1, 1), SUBSTR(alphabet, (number >> 24 & 63) + 1, 1),
        SUBSTR(alphabet, (number >> 18 & 63) + 1, 1), SUBSTR(alphabet, (number >> 12 & 63) + 1, 1),
        SUBSTR(alphabet, (number >> 6 & 63) + 1, 1), SUBSTR(alphabet, (number & 63) + 1, 1)));
END$$

-- An origin of 0 is left out, and so is a value of 0 before another origin. Without an origin, the sign is left out too
-- after a name, and after the times 0, ~ (63 << 54) and ~~~~~~~~~~ ((1 << 60) - 1).
DROP FUNCTION IF EXISTS ron_uid_text$$
CREATE FUNCTION ron_uid_text(id VARBINARY(255)) RETURNS VARCHAR(21) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The text of a RON UID.'
BEGIN
    DECLARE value BIGINT UNSIGNED DEFAULT CONV(HEX(SUBSTR(id, 1, 8)), 16, 10);
    DECLARE origin BIGINT UNSIGNED DEFAULT CAST(CONV(HEX(SUBSTR(id, 9, 8)), 16, 10) AS UNSIGNED) % (1 << 60);
    DECLARE scheme INT UNSIGNED DEFAULT ORD(SUBSTR(id, 9)) >> 4;
    IF LENGTH(id) <> 16 OR ORD(id) > 15 OR ORD(SUBSTR(id, 9)) > 63 THEN
        RETURN sortid__error('a RON UID of 16 bytes: 0 in bits 0-3 and 64-65', id);
    END IF;
    RETURN CONCAT(
        IF(value = 0 AND origin = 0, '0', sortid__ron_uid_digits(value)),
        -- The sign, or nothing.
        SUBSTR('$%-+', scheme + 1, IF(origin = 0 AND scheme = IF(value IN (0, 63 << 54, (1 << 60) - 1), 2, 0), 0, 1)),
        sortid__ron_uid_digits(origin));
END$$

-- The integer of up to ten digits, filled with zeros on the right. NULL for other text: LOCATE returns 0 for a
-- character that is not in the alphabet.
DROP FUNCTION IF EXISTS sortid__ron_uid_number$$
CREATE FUNCTION sortid__ron_uid_number(part VARBINARY(32)) RETURNS BIGINT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
BEGIN
    DECLARE alphabet BINARY(64) DEFAULT '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~';
    IF LENGTH(part) > 10 THEN
        RETURN NULL;
    END IF;
    SET part = RPAD(part, 10, '0');
    RETURN (NULLIF(LOCATE(SUBSTR(part, 1, 1), alphabet), 0) - 1) << 54
        | (NULLIF(LOCATE(SUBSTR(part, 2, 1), alphabet), 0) - 1) << 48
        | (NULLIF(LOCATE(SUBSTR(part, 3, 1), alphabet), 0) - 1) << 42
        | (NULLIF(LOCATE(SUBSTR(part, 4, 1), alphabet), 0) - 1) << 36
        | (NULLIF(LOCATE(SUBSTR(part, 5, 1), alphabet), 0) - 1) << 30
        | (NULLIF(LOCATE(SUBSTR(part, 6, 1), alphabet), 0) - 1) << 24
        | (NULLIF(LOCATE(SUBSTR(part, 7, 1), alphabet), 0) - 1) << 18
        | (NULLIF(LOCATE(SUBSTR(part, 8, 1), alphabet), 0) - 1) << 12
        | (NULLIF(LOCATE(SUBSTR(part, 9, 1), alphabet), 0) - 1) << 6
        | (NULLIF(LOCATE(SUBSTR(part, 10, 1), alphabet), 0) - 1);
END$$

DROP FUNCTION IF EXISTS ron_uid_try_parse$$
CREATE FUNCTION ron_uid_try_parse(input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The RON UID of a text; NULL if the text is not one.'
BEGIN
    DECLARE whole VARBINARY(21);
    DECLARE sign_at INT;
    DECLARE value, origin, scheme, bare BIGINT UNSIGNED;
    IF LENGTH(input) NOT BETWEEN 1 AND 21 THEN
        RETURN NULL;
    END IF;
    SET whole = input;
    -- The sign; 0 if there is none. A second sign makes the part that contains it invalid.
    SET sign_at = GREATEST(LOCATE('-', whole), LOCATE('+', whole), LOCATE('$', whole), LOCATE('%', whole));
    SET value = sortid__ron_uid_number(IF(sign_at > 0, LEFT(whole, sign_at - 1), whole));
    SET origin = sortid__ron_uid_number(IF(sign_at > 0, SUBSTR(whole, sign_at + 1), ''));
    -- Digits alone are a name, or one of the events 0, ~ and ~~~~~~~~~~.
    SET bare = IF(value IN (0, 63 << 54, (1 << 60) - 1), 2, 0);
    SET scheme = IF(sign_at > 0, LOCATE(SUBSTR(whole, sign_at, 1), '$%-+') - 1, bare);
    -- The text leaves out a value of 0 if the origin is not 0, and an origin of 0 if it has to have the sign.
    IF sign_at = 1 AND origin = 0 OR sign_at = LENGTH(whole) AND scheme = bare THEN
        RETURN NULL;
    END IF;
    RETURN UNHEX(CONCAT(LPAD(HEX(value), 16, '0'), LPAD(HEX(scheme << 60 | origin), 16, '0')));
END$$

DROP FUNCTION IF EXISTS ron_uid_is_valid$$
CREATE FUNCTION ron_uid_is_valid(input LONGBLOB) RETURNS BOOLEAN
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'Whether ron_uid_parse accepts a text; never an error.'
RETURN IF(input IS NULL, NULL, ron_uid_try_parse(input) IS NOT NULL)$$

DROP FUNCTION IF EXISTS ron_uid_parse$$
CREATE FUNCTION ron_uid_parse(input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The RON UID of a text; an error if the text is not one.'
BEGIN
    DECLARE id BINARY(16) DEFAULT ron_uid_try_parse(input);
    IF id IS NULL AND input IS NOT NULL THEN
        RETURN sortid__error('the text of a RON UID: up to 10 digits, a sign, up to 10 digits', input);
    END IF;
    RETURN id;
END$$

DROP FUNCTION IF EXISTS ron_uid_text_time$$
CREATE FUNCTION ron_uid_text_time(input LONGBLOB) RETURNS DATETIME(3)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of the RON UID of a text, to the millisecond; an error if the text is not one.'
RETURN ron_uid_time(ron_uid_parse(input))$$

DROP FUNCTION IF EXISTS ron_uid_typed_text$$
CREATE FUNCTION ron_uid_typed_text(prefix LONGBLOB, id VARBINARY(255))
RETURNS VARCHAR(96) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'A prefix, _ and the text of a RON UID.'
RETURN IF(id IS NULL, NULL, CONCAT(sortid__prefix(prefix), ron_uid_text(id)))$$

DROP FUNCTION IF EXISTS ron_uid_typed_parse$$
CREATE FUNCTION ron_uid_typed_parse(prefix LONGBLOB, input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The RON UID of a text with this prefix; an error if the text is not one.'
RETURN ron_uid_parse(sortid__after_prefix(prefix, input, TRUE))$$

DROP FUNCTION IF EXISTS ron_uid_typed_try_parse$$
CREATE FUNCTION ron_uid_typed_try_parse(prefix LONGBLOB, input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The RON UID of a text with this prefix; NULL if the text is not one.'
RETURN ron_uid_try_parse(sortid__after_prefix(prefix, input, FALSE))$$

-- An event with the sequence number 0 and the origin 0. Times of a day that the month does not have are an error.
DROP FUNCTION IF EXISTS ron_uid_min_at$$
CREATE FUNCTION ron_uid_min_at(moment DATETIME(6)) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The least RON UID of the millisecond of a time.'
BEGIN
    IF YEAR(moment) NOT BETWEEN 2010 AND 2345 OR DAY(moment) NOT BETWEEN 1 AND IFNULL(DAY(LAST_DAY(moment)), 0) THEN
        RETURN sortid__error('a time from 2010 to 2345 for a RON UID', moment);
    END IF;
    RETURN UNHEX(CONCAT(
        LPAD(HEX(((YEAR(moment) - 2010) * 12 + MONTH(moment) - 1) << 48 | (DAY(moment) - 1) << 42
            | HOUR(moment) << 36 | MINUTE(moment) << 30 | SECOND(moment) << 24
            | (MICROSECOND(moment) DIV 1000) << 12), 16, '0'),
        '2000000000000000'));
END$$

-- A derived UID with the greatest sequence number and the greatest origin.
DROP FUNCTION IF EXISTS ron_uid_max_at$$
CREATE FUNCTION ron_uid_max_at(moment DATETIME(6)) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The greatest RON UID of the millisecond of a time.'
BEGIN
    IF YEAR(moment) NOT BETWEEN 2010 AND 2345 OR DAY(moment) NOT BETWEEN 1 AND IFNULL(DAY(LAST_DAY(moment)), 0) THEN
        RETURN sortid__error('a time from 2010 to 2345 for a RON UID', moment);
    END IF;
    RETURN UNHEX(CONCAT(
        LPAD(HEX(((YEAR(moment) - 2010) * 12 + MONTH(moment) - 1) << 48 | (DAY(moment) - 1) << 42
            | HOUR(moment) << 36 | MINUTE(moment) << 30 | SECOND(moment) << 24
            | (MICROSECOND(moment) DIV 1000) << 12 | 4095), 16, '0'),
        '3FFFFFFFFFFFFFFF'));
END$$

DROP FUNCTION IF EXISTS ron_uid_value_int$$
CREATE FUNCTION ron_uid_value_int(id VARBINARY(255)) RETURNS BIGINT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The value of a RON UID, 60 bits.'
BEGIN
    IF LENGTH(id) <> 16 OR ORD(id) > 15 OR ORD(SUBSTR(id, 9)) > 63 THEN
        RETURN sortid__error('a RON UID of 16 bytes: 0 in bits 0-3 and 64-65', id);
    END IF;
    RETURN CAST(CONV(HEX(SUBSTR(id, 1, 8)), 16, 10) AS UNSIGNED);
END$$

DROP FUNCTION IF EXISTS ron_uid_origin_int$$
CREATE FUNCTION ron_uid_origin_int(id VARBINARY(255)) RETURNS BIGINT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The origin of a RON UID, 60 bits.'
BEGIN
    IF LENGTH(id) <> 16 OR ORD(id) > 15 OR ORD(SUBSTR(id, 9)) > 63 THEN
        RETURN sortid__error('a RON UID of 16 bytes: 0 in bits 0-3 and 64-65', id);
    END IF;
    RETURN CAST(CONV(HEX(SUBSTR(id, 9, 8)), 16, 10) AS UNSIGNED) % (1 << 60);
END$$

DROP FUNCTION IF EXISTS ron_uid_value$$
CREATE FUNCTION ron_uid_value(id VARBINARY(255)) RETURNS VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The value of a RON UID, as up to 10 digits.'
BEGIN
    DECLARE number BIGINT UNSIGNED DEFAULT ron_uid_value_int(id);
    RETURN IF(number = 0, '0', sortid__ron_uid_digits(number));
END$$

DROP FUNCTION IF EXISTS ron_uid_origin$$
CREATE FUNCTION ron_uid_origin(id VARBINARY(255)) RETURNS VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The origin of a RON UID, as up to 10 digits.'
BEGIN
    DECLARE number BIGINT UNSIGNED DEFAULT ron_uid_origin_int(id);
    RETURN IF(number = 0, '0', sortid__ron_uid_digits(number));
END$$

DROP FUNCTION IF EXISTS ron_uid_scheme$$
CREATE FUNCTION ron_uid_scheme(id VARBINARY(255)) RETURNS VARCHAR(7) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The scheme of a RON UID: name, hash, event or derived.'
BEGIN
    IF LENGTH(id) <> 16 OR ORD(id) > 15 OR ORD(SUBSTR(id, 9)) > 63 THEN
        RETURN sortid__error('a RON UID of 16 bytes: 0 in bits 0-3 and 64-65', id);
    END IF;
    RETURN ELT((ORD(SUBSTR(id, 9)) >> 4) + 1, 'name', 'hash', 'event', 'derived');
END$$

DELIMITER ;

-- ==== event_id ====
-- BINARY(16): timestamp 64 bits, in microseconds; checksum 32 bits, ledger ID 32 bits.

DELIMITER $$

-- X'0384440CCC736000' are the microseconds of the year 10000, which DATETIME cannot hold.
DROP FUNCTION IF EXISTS event_id_time$$
CREATE FUNCTION event_id_time(id VARBINARY(255)) RETURNS DATETIME(6)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of an Event ID, to the microsecond.'
BEGIN
    IF LENGTH(id) <> 16 OR id >= X'0384440CCC736000' THEN
        RETURN sortid__error('an Event ID of 16 bytes and before the year 10000', id);
    END IF;
    RETURN TIMESTAMP'1970-01-01 00:00:00' + INTERVAL CAST(CONV(HEX(SUBSTR(id, 1, 8)), 16, 10) AS UNSIGNED) MICROSECOND;
END$$

DROP FUNCTION IF EXISTS event_id_text$$
CREATE FUNCTION event_id_text(id VARBINARY(255)) RETURNS CHAR(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The text of an Event ID.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an Event ID of 16 bytes', id);
    END IF;
    RETURN LOWER(HEX(id));
END$$

-- UNHEX returns NULL if a character is not a hex digit.
DROP FUNCTION IF EXISTS event_id_is_valid$$
CREATE FUNCTION event_id_is_valid(input LONGBLOB) RETURNS BOOLEAN
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'Whether event_id_parse accepts a text; never an error.'
RETURN IF(LENGTH(input) <> 32, FALSE, IF(input IS NULL, NULL, UNHEX(input) IS NOT NULL))$$

DROP FUNCTION IF EXISTS event_id_try_parse$$
CREATE FUNCTION event_id_try_parse(input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The Event ID of a text; NULL if the text is not one.'
RETURN IF(event_id_is_valid(input), UNHEX(input), NULL)$$

DROP FUNCTION IF EXISTS event_id_parse$$
CREATE FUNCTION event_id_parse(input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The Event ID of a text; an error if the text is not one.'
BEGIN
    DECLARE id BINARY(16) DEFAULT event_id_try_parse(input);
    IF id IS NULL AND input IS NOT NULL THEN
        RETURN sortid__error('the 32 hex digits of an Event ID', input);
    END IF;
    RETURN id;
END$$

DROP FUNCTION IF EXISTS event_id_text_time$$
CREATE FUNCTION event_id_text_time(input LONGBLOB) RETURNS DATETIME(6)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of the Event ID of a text, to the microsecond; an error if the text is not one.'
RETURN event_id_time(event_id_parse(input))$$

DROP FUNCTION IF EXISTS event_id_typed_text$$
CREATE FUNCTION event_id_typed_text(prefix LONGBLOB, id VARBINARY(255))
RETURNS VARCHAR(96) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'A prefix, _ and the text of an Event ID.'
RETURN IF(id IS NULL, NULL, CONCAT(sortid__prefix(prefix), event_id_text(id)))$$

DROP FUNCTION IF EXISTS event_id_typed_parse$$
CREATE FUNCTION event_id_typed_parse(prefix LONGBLOB, input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The Event ID of a text with this prefix; an error if the text is not one.'
RETURN event_id_parse(sortid__after_prefix(prefix, input, TRUE))$$

DROP FUNCTION IF EXISTS event_id_typed_try_parse$$
CREATE FUNCTION event_id_typed_try_parse(prefix LONGBLOB, input LONGBLOB) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The Event ID of a text with this prefix; NULL if the text is not one.'
RETURN event_id_try_parse(sortid__after_prefix(prefix, input, FALSE))$$

DROP FUNCTION IF EXISTS event_id_min_at$$
CREATE FUNCTION event_id_min_at(moment DATETIME(6)) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The least Event ID of the microsecond of a time.'
BEGIN
    DECLARE micros BIGINT DEFAULT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', moment);
    IF moment IS NOT NULL AND IFNULL(micros, -1) < 0 THEN
        RETURN sortid__error('a time from 1970 on for an Event ID', moment);
    END IF;
    RETURN UNHEX(RPAD(LPAD(HEX(micros), 16, '0'), 32, '0'));
END$$

DROP FUNCTION IF EXISTS event_id_max_at$$
CREATE FUNCTION event_id_max_at(moment DATETIME(6)) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The greatest Event ID of the microsecond of a time.'
BEGIN
    DECLARE micros BIGINT DEFAULT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', moment);
    IF moment IS NOT NULL AND IFNULL(micros, -1) < 0 THEN
        RETURN sortid__error('a time from 1970 on for an Event ID', moment);
    END IF;
    RETURN UNHEX(RPAD(LPAD(HEX(micros), 16, '0'), 32, 'F'));
END$$

DROP FUNCTION IF EXISTS event_id_timestamp_us$$
CREATE FUNCTION event_id_timestamp_us(id VARBINARY(255)) RETURNS BIGINT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of an Event ID, in microseconds since 1970.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an Event ID of 16 bytes', id);
    END IF;
    RETURN CAST(CONV(HEX(SUBSTR(id, 1, 8)), 16, 10) AS UNSIGNED);
END$$

DROP FUNCTION IF EXISTS event_id_checksum$$
CREATE FUNCTION event_id_checksum(id VARBINARY(255)) RETURNS CHAR(8) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The checksum of an Event ID, as 8 hex digits.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an Event ID of 16 bytes', id);
    END IF;
    RETURN LOWER(HEX(SUBSTR(id, 9, 4)));
END$$

DROP FUNCTION IF EXISTS event_id_ledger_id$$
CREATE FUNCTION event_id_ledger_id(id VARBINARY(255)) RETURNS CHAR(8) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The ledger ID of an Event ID, as 8 hex digits.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an Event ID of 16 bytes', id);
    END IF;
    RETURN LOWER(HEX(SUBSTR(id, 13, 4)));
END$$

-- The last 2 bits of the ledger ID.
DROP FUNCTION IF EXISTS event_id_version$$
CREATE FUNCTION event_id_version(id VARBINARY(255)) RETURNS INT UNSIGNED
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The version of the ledger ID of an Event ID, 0 to 3.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an Event ID of 16 bytes', id);
    END IF;
    RETURN ORD(SUBSTR(id, 16)) & 3;
END$$

-- For a column that has both. A UUID of version 7 begins with 48 bits of milliseconds, an Event ID with 64 of
-- microseconds. So those UUIDs of 2000 and later are greater than the Event IDs of before 3936. They begin with the
-- literal, or are greater.
DROP FUNCTION IF EXISTS event_id_is_uuid7$$
CREATE FUNCTION event_id_is_uuid7(id VARBINARY(255)) RETURNS BOOLEAN
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'Whether an ID of a column with Event IDs and UUIDs of version 7 is such a UUID.'
BEGIN
    IF LENGTH(id) <> 16 THEN
        RETURN sortid__error('an Event ID or a UUID of 16 bytes', id);
    END IF;
    RETURN id >= X'00DC6ACFAC00' AND ORD(SUBSTR(id, 7)) >> 4 = 7 AND ORD(SUBSTR(id, 9)) >> 6 = 2;
END$$

DROP FUNCTION IF EXISTS event_id_or_uuid7_time$$
CREATE FUNCTION event_id_or_uuid7_time(id VARBINARY(255)) RETURNS DATETIME(6)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The time of an Event ID, to the microsecond, or of a UUID of version 7, to the millisecond.'
BEGIN
    IF event_id_is_uuid7(id) THEN
        -- The milliseconds of the year 10000, which DATETIME cannot hold.
        IF id >= X'E677D21FDC00' THEN
            RETURN sortid__error('a UUID of version 7 and before the year 10000', id);
        END IF;
        RETURN TIMESTAMP'1970-01-01 00:00:00'
            + INTERVAL CAST(CONV(HEX(SUBSTR(id, 1, 6)), 16, 10) AS UNSIGNED) * 1000 MICROSECOND;
    END IF;
    RETURN event_id_time(id);
END$$

-- A query by time of such a column has two ranges: that of event_id_min_at, and this one.
DROP FUNCTION IF EXISTS event_id_uuid7_min_at$$
CREATE FUNCTION event_id_uuid7_min_at(moment DATETIME(6)) RETURNS BINARY(16)
DETERMINISTIC NO SQL SQL SECURITY INVOKER
COMMENT 'The least UUID of version 7 of the millisecond of a time.'
RETURN sortid__uuid7_min_at(moment)$$

DELIMITER ;
