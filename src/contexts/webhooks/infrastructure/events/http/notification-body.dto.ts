import { ApiProperty } from '@nestjs/swagger';
import {
  AdjustmentNoticeDto,
  DepositNoticeDto,
  PaymentRequestNoticeDto,
  RefundNoticeDto,
  SettlementNoticeDto,
  SubscriptionNoticeDto,
} from './notification.dto.js';

/** The status of a refund has changed. */
export class RefundNotificationDto {
  @ApiProperty({ type: RefundNoticeDto })
  data!: RefundNoticeDto;
}

/** The status of a payment request has changed. */
export class PaymentRequestNotificationDto {
  @ApiProperty({ type: PaymentRequestNoticeDto })
  data!: PaymentRequestNoticeDto;
}

/** Money that came to an address of a payment request and is no part of what it received. */
export class DepositNotificationDto {
  @ApiProperty({ type: DepositNoticeDto })
  data!: DepositNoticeDto;
}

/** Money that was booked and has disappeared from the chain. */
export class AdjustmentNotificationDto {
  @ApiProperty({ type: AdjustmentNoticeDto })
  data!: AdjustmentNoticeDto;
}

/** Money was delivered to a settlement address, or its delivery was undone. */
export class SettlementNotificationDto {
  @ApiProperty({ type: SettlementNoticeDto })
  data!: SettlementNoticeDto;
}

/** The status of a subscription has changed. */
export class SubscriptionNotificationDto {
  @ApiProperty({ type: SubscriptionNoticeDto })
  data!: SubscriptionNoticeDto;
}
