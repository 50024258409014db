import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import compression from 'compression';
import { CheckoutModule } from './checkout.module.js';
import { SaleCodesController } from './infrastructure/till/http/sale-codes.controller.js';
import { TillController } from './infrastructure/till/http/till.controller.js';
import { RequestsModule } from './requests.module.js';

/** The till of cashiers' phones. It takes payments by the API, as any till does; here lie its document and its QR codes. */
@Module({
  imports: [RequestsModule, CheckoutModule],
  controllers: [SaleCodesController, TillController],
})
export class TillModule implements NestModule {
  /** The document holds no secret, so it is compressed; QR codes of sessions are not. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(compression()).forRoutes('till');
  }
}
