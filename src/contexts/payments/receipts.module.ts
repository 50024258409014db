import { Module, type Provider } from '@nestjs/common';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { RequestReceiptMail } from './application/receipts/request-receipt-mail.js';
import { SendReceiptMail } from './application/receipts/send-receipt-mail.js';
import { UnsubscribeFromReceiptMails } from './application/receipts/unsubscribe-from-receipt-mails.js';
import { CheckoutModule } from './checkout.module.js';
import {
  ReceiptMailController,
  ReceiptMailUnsubscribeController,
} from './infrastructure/receipts/http/receipt-mail.controller.js';
import { ReceiptController } from './infrastructure/receipts/http/receipt.controller.js';
import { PayerMails } from './infrastructure/receipts/persistence/payer-mails.js';
import { Receipts } from './infrastructure/receipts/persistence/receipts.js';
import { receiptInvariants } from './infrastructure/receipts/persistence/receipt-invariants.js';
import { ReceiptSignatures } from './infrastructure/receipts/receipt-signatures.js';
import { ReceiptMailWorker } from './infrastructure/receipts/receipt-mail-worker.js';
import { RequestsModule } from './requests.module.js';

const RECEIPT_PROVIDERS: Provider[] = [
  RequestReceiptMail,
  ReceiptSignatures,
  UnsubscribeFromReceiptMails,
  Receipts,
  PayerMails,
];

@RegisterInvariants(receiptInvariants)
@Module({
  imports: [NetworksModule, RequestsModule, CheckoutModule],
  controllers: [ReceiptController, ReceiptMailController, ReceiptMailUnsubscribeController],
  providers: RECEIPT_PROVIDERS,
  exports: [Receipts, PayerMails],
})
export class ReceiptsModule {}

@Module({
  imports: [RequestsModule, ReceiptsModule],
  providers: [SendReceiptMail, ReceiptMailWorker],
})
export class ReceiptsWorkerModule {}
