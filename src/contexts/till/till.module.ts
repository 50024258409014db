import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import compression from 'compression';
import { CheckoutModule } from '#contexts/payments/checkout.module.js';
import { PointOfSaleModule } from '#contexts/point-of-sale/point-of-sale.module.js';
import { PairTillController } from './infrastructure/dashboard/pair-till.controller.js';
import { SaleQrCodesController } from './infrastructure/http/sale-qr-codes.controller.js';
import { TillController } from './infrastructure/http/till.controller.js';

/** A global module must provide `TillSettings`, `Devices` and `OneTimeSecretStore`. */
@Module({
  imports: [PointOfSaleModule, CheckoutModule],
  controllers: [PairTillController, SaleQrCodesController, TillController],
})
export class TillModule implements NestModule {
  /** QR codes of sessions stay uncompressed, because they are secret. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(compression()).forRoutes('till');
  }
}
