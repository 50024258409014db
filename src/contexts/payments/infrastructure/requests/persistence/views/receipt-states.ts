import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';

export interface ReceiptState {
  /** Absent if there is no receipt. */
  readonly code?: string | undefined;
  /** `asked`: this browser may correct the address; `over`: another browser or the merchant requested the mail, or it is being sent. */
  readonly mail: 'offered' | 'asked' | 'over';
}

@Injectable()
export class ReceiptStates {
  constructor(private readonly database: Database) {}

  /** @param browser digest of the payer's cookie */
  async ofRequest(id: PaymentRequestId, browser: Buffer | undefined): Promise<ReceiptState> {
    const [row] = await this.database.query<{ code: string | null; mail: ReceiptState['mail'] }>(
      `SELECT p.code, CASE WHEN m.browser_digest = $2 AND m.due_at IS NULL AND m.outcome IS NULL THEN 'asked'
           WHEN m.asked_by IS NOT NULL THEN 'over' ELSE 'offered' END AS mail
       FROM (VALUES ($1::uuid)) r (id)
       LEFT JOIN payments.receipts p ON p.payment_request_id = r.id
       LEFT JOIN payments.payer_mails m ON m.payment_request_id = r.id`,
      [id, browser ?? null],
    );
    return { code: row!.code ?? undefined, mail: row!.mail };
  }
}
