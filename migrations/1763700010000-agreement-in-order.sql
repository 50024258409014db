-- As before: rather fail, and be run again, than keep everybody waiting.
SET LOCAL lock_timeout = '3s';

-- Those that await a second word are gone through in order, apart by what is to show them. Anyone can make that queue
-- long, and each turn of a watcher would sort all of it. By the text of their ids: for the ids themselves the primary
-- key may be taken, and gone through from its beginning, over all transfers that there ever were.
CREATE INDEX transfers_awaiting_balances ON payments.transfers (network, (id::text COLLATE "C"))
  WHERE canonical AND awaits_agreement AND kind = 'balance';
CREATE INDEX transfers_awaiting_receipts ON payments.transfers (network, (id::text COLLATE "C"))
  WHERE canonical AND awaits_agreement AND kind <> 'balance';
-- Nothing asks for them by their block.
DROP INDEX payments.transfers_awaiting_agreement;
