import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { ReceivedSums } from '#contexts/settlement/domain/refunds/received-sums.js';

@Injectable()
export class PostgresReceivedSums extends ReceivedSums {
  constructor(private readonly database: Database) {
    super();
  }

  async find(paymentRequest: PaymentRequestId, uniqueAssetId: string): Promise<bigint> {
    const [sum] = await this.database.query<{ received: bigint }>(
      `SELECT COALESCE(sum(paid + deposited), 0) AS received FROM payments.public_received_sums
       WHERE payment_request_id = $1 AND unique_asset_id = $2`,
      [paymentRequest, uniqueAssetId],
    );
    return sum!.received;
  }
}
