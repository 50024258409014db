SET LOCAL lock_timeout = '3s';

-- A phone shows it before it is paired. Null: a process of the release before has offered the code.
ALTER TABLE identity.pairing_codes ADD COLUMN point_of_sale_name text;
