-- Reads each table once, without holding writers up.
SET LOCAL lock_timeout = '3s';

ALTER TABLE identity.credentials VALIDATE CONSTRAINT credentials_of_devices;
ALTER TABLE identity.collaborators VALIDATE CONSTRAINT collaborators_role_check;
ALTER TABLE identity.invitations VALIDATE CONSTRAINT invitations_role_check;

-- Last, since they keep writers of credentials waiting: both have no entry yet.
CREATE INDEX credentials_of_point_of_sale ON identity.credentials (point_of_sale_id) WHERE point_of_sale_id IS NOT NULL;
CREATE INDEX credentials_paired_by ON identity.credentials (paired_by) WHERE paired_by IS NOT NULL;
