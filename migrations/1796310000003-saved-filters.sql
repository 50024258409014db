SET LOCAL lock_timeout = '3s';

-- Filters of the list of payments that a collaborator has saved. The query is that of the page's URL.
CREATE TABLE payments.saved_filters (
  collaborator_id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  query text NOT NULL CHECK (length(query) BETWEEN 1 AND 4000),
  PRIMARY KEY (collaborator_id, name)
);
