SET LOCAL lock_timeout = '3s';

-- Reads all open requests, so it stands apart from what locks their table: a million of them take some seconds.
INSERT INTO payments.balance_watch (network, payment_request_id)
SELECT network, id FROM payments.payment_requests
WHERE status IN ('created', 'processing') AND unique_asset_id = 'n' || network || '_t' || currency
UNION
SELECT s.network, r.id FROM payments.payment_requests r JOIN payments.selections s ON s.payment_request_id = r.id
WHERE r.status IN ('created', 'processing') AND s.unique_asset_id = 'n' || s.network || '_t' || s.currency
ON CONFLICT DO NOTHING;
