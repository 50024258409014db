SET LOCAL lock_timeout = '3s';

-- In which the dashboard shows times to the people of the organization, and reads the days that they choose: an IANA name.
ALTER TABLE identity.organizations
  ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC' CHECK (length(time_zone) BETWEEN 1 AND 64);
