import { Module } from '@nestjs/common';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { PointOfSaleModule } from '#contexts/point-of-sale/point-of-sale.module.js';
import { PayEnteredAmount } from './application/till-codes/pay-entered-amount.js';
import { ReadTillCode } from './application/till-codes/read-till-code.js';
import { CheckoutModule } from './checkout.module.js';
import { PublicTillCodeController } from './infrastructure/till-codes/http/public-till-code.controller.js';
import { TillCodePageController } from './infrastructure/till-codes/http/till-code-page.controller.js';
import { TillRequests } from './infrastructure/till-codes/persistence/till-requests.js';
import { LinksModule } from './links.module.js';
import { RequestsModule } from './requests.module.js';

@Module({
  imports: [NetworksModule, PointOfSaleModule, RequestsModule, CheckoutModule, LinksModule],
  controllers: [PublicTillCodeController, TillCodePageController],
  providers: [ReadTillCode, PayEnteredAmount, TillRequests],
})
export class TillCodesModule {}
