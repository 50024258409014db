SET LOCAL lock_timeout = '3s';

-- What the operator's commands did, also to the installation as a whole. No organization sees it. Secrets are never written
-- to it: the arguments are those that were typed, and no command takes a secret as one.
CREATE TABLE platform.operator_actions (
  position bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  -- Of one run of a command, whose entries have it in common.
  action_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT platform.now(),
  actor text NOT NULL,
  command text NOT NULL,
  -- Arguments and options by name.
  arguments jsonb NOT NULL,
  -- An action that is one transaction has `done` alone, in that transaction. Any other has `begun` before it.
  outcome text NOT NULL CHECK (outcome IN ('begun', 'done', 'failed')),
  -- Why it failed.
  reason text,
  CONSTRAINT operator_actions_once UNIQUE (action_id, outcome),
  CONSTRAINT operator_actions_reason CHECK ((reason IS NOT NULL) = (outcome = 'failed'))
);
CREATE TRIGGER operator_actions_append_only BEFORE UPDATE OR DELETE ON platform.operator_actions
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
CREATE TRIGGER operator_actions_never_truncated BEFORE TRUNCATE ON platform.operator_actions
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
