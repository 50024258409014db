import { createHash } from 'node:crypto';
import { type DeploymentCell, newPublicCode } from '#shared/kernel/deployment-cell.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import type { PaymentRequest } from '#contexts/payments/domain/requests/payment-request.js';

/** An email that was requested earlier becomes due. */
export const ISSUE_RECEIPTS = `
WITH issued AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS i (code text, payment_request_id uuid, organization_id uuid,
    account_id uuid, at timestamptz)
), due AS (
  UPDATE payments.payer_mails m SET due_at = i.at FROM issued i
  WHERE m.payment_request_id = i.payment_request_id AND m.outcome IS NULL
)
INSERT INTO payments.receipts (code, payment_request_id, organization_id, account_id, issued_at)
SELECT code, payment_request_id, organization_id, account_id, at FROM issued`;

/** Rows to insert into payments.receipts. Empty unless the request has just been confirmed. */
export function newReceiptRows(request: PaymentRequest, cell: DeploymentCell): object[] {
  const { id, facts } = request;
  return request.unsavedChanges().history.flatMap(({ status, at }) =>
    status !== 'confirmed'
      ? []
      : {
          code: newPublicCode(cell),
          payment_request_id: id,
          organization_id: facts.organizationId,
          account_id: facts.accountId,
          at,
        },
  );
}

/** Only the browser that requested the email can correct the address. The row of the request is locked or new. */
export const UPSERT_PAYER_MAIL = `
INSERT INTO payments.payer_mails (payment_request_id, organization_id, account_id, recipient, address_digest, language,
  asked_by, browser_digest, asked_at, due_at)
SELECT r.id, r.organization_id, r.account_id, $2, $3, $4, $5, $6, platform.now(), p.issued_at
FROM payments.payment_requests r LEFT JOIN payments.receipts p ON p.payment_request_id = r.id
WHERE r.id = $1
ON CONFLICT (payment_request_id) DO UPDATE
SET recipient = excluded.recipient, address_digest = excluded.address_digest, language = excluded.language,
  asked_at = excluded.asked_at
WHERE payer_mails.browser_digest = excluded.browser_digest AND payer_mails.due_at IS NULL AND payer_mails.outcome IS NULL`;

export interface RequestedMail {
  readonly recipient: string;
  readonly language: PageLanguage;
  readonly askedBy: 'payer' | 'merchant';
  readonly browser?: Buffer;
}

export function mailValues(
  request: string,
  { recipient, language, askedBy, browser }: RequestedMail,
): unknown[] {
  return [request, recipient, emailAddressDigest(recipient), language, askedBy, browser ?? null];
}

/** Counts emails and finds unsubscribed addresses after the address is deleted. */
export function emailAddressDigest(recipient: string): Buffer {
  return createHash('sha256').update(recipient, 'utf8').digest();
}

export interface ReceiptState {
  readonly code?: string | undefined;
  /** `asked`: this browser may correct the email address; `over`: it may not, or the email is being sent. */
  readonly mail: 'offered' | 'asked' | 'over';
}

export async function readReceiptState(
  database: Database,
  id: PaymentRequestId,
  browser: Buffer | undefined,
): Promise<ReceiptState> {
  const [row] = await database.query<{ code: string | null; mail: ReceiptState['mail'] }>(
    `SELECT p.code, CASE WHEN m.browser_digest = $2 AND m.due_at IS NULL AND m.outcome IS NULL THEN 'asked'
         WHEN m.asked_by IS NOT NULL THEN 'over' ELSE 'offered' END AS mail
     FROM (VALUES ($1::uuid)) r (id)
     LEFT JOIN payments.receipts p ON p.payment_request_id = r.id
     LEFT JOIN payments.payer_mails m ON m.payment_request_id = r.id`,
    [id, browser ?? null],
  );
  return { code: row!.code ?? undefined, mail: row!.mail };
}
