-- Notification rules can also post to chats: their channels, and the messages that wait to be sent.
SET LOCAL lock_timeout = '3s';

CREATE TABLE notices.channels (
  id uuid PRIMARY KEY,
  rule_id uuid NOT NULL REFERENCES notices.rules (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT channels_kind CHECK (kind IN ('slack', 'telegram', 'ntfy')),
  -- The part of the address that is no secret: the host, or the chat of Telegram.
  label text NOT NULL,
  -- Anyone who knows the address can post to it, so it is encrypted with a key of DASHBOARD_SECRET_KEYS.
  key_id text NOT NULL,
  sealed_address bytea NOT NULL,
  -- The time and error of the first message that was given up after the last delivery.
  failing_since timestamptz,
  last_error text,
  created_at timestamptz NOT NULL,
  CONSTRAINT channels_failing CHECK ((failing_since IS NULL) = (last_error IS NULL))
);
CREATE INDEX channels_of_rule ON notices.channels (rule_id, id);

CREATE TABLE notices.channel_messages (
  id uuid PRIMARY KEY,
  channel_id uuid NOT NULL REFERENCES notices.channels (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL
);
CREATE INDEX channel_messages_of_channel ON notices.channel_messages (channel_id);
CREATE INDEX channel_messages_due ON notices.channel_messages (due_at);
CREATE INDEX channel_messages_in_turns ON notices.channel_messages (organization_id, due_at);
