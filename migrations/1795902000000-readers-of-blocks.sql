-- Which endpoint answered the contents of a block, by a hash of its address: another one reads it again once it is final. Null: not
-- known, for a block that an earlier release read, or on a network whose endpoints have no names.
SET LOCAL lock_timeout = '3s';

ALTER TABLE payments.blocks ADD COLUMN read_by text;
