DO $do$
DECLARE
    it record;
    types CONSTANT oid[] := ARRAY['bytea', 'uuid', 'int4', 'int8', 'text', 'numeric', 'timestamptz', 'timestamp',
        'interval', 'bit', 'float8', 'bool', 'date']::regtype[]::oid[];
BEGIN
    CREATE SCHEMA hostile;
    FOR it IN
        SELECT proname, pg_get_function_arguments(oid) AS arguments, prorettype::regtype AS result
        FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' AND NOT proretset
            AND proargtypes::oid[] <@ types AND prorettype = ANY (types) AND pronargs > 0 AND proargnames IS NULL
    LOOP
        EXECUTE format('CREATE FUNCTION hostile.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L', it.proname, it.arguments,
            it.result, 'BEGIN RAISE EXCEPTION ''this function is hostile''; END');
    END LOOP;
    FOR it IN
        SELECT oprname, oprleft::regtype AS l, oprright::regtype AS r, p.proname
        FROM pg_operator JOIN pg_proc p ON p.oid = oprcode
        WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprleft = ANY (types) AND oprright = ANY (types)
            AND to_regprocedure(format('hostile.%I(%s,%s)', p.proname, oprleft::regtype, oprright::regtype)) IS NOT NULL
    LOOP
        EXECUTE format('CREATE OPERATOR hostile.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = hostile.%I)', it.oprname,
            it.l, it.r, it.proname);
    END LOOP;
END $do$
