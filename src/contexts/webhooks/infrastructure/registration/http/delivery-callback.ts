import type { ApiOperationOptions } from '@nestjs/swagger';
import { schemaRef } from '#shared/platform/http/openapi/schema-names.js';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
  example,
});

const EXAMPLE = {
  data: {
    account_id: '0193b2f4-1c55-7b8e-9a40-2f6d7e8c9b01',
    external_reference_id: 'order-1042',
    notification_type: 'payment_request_status_update',
    payment_request_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44',
    payment_request_type: 'fixed',
    point_of_sale_id: '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90',
    status: 'completed',
  },
};

/** The request to a receiver, for the reference (docs/reference/webhooks.md, "What arrives"). */
export const DELIVERY_CALLBACK: NonNullable<ApiOperationOptions['callbacks']> = {
  paymentRequest: {
    '{$request.body#/url}': {
      post: {
        operationId: 'receivePaymentRequest',
        tags: ['Webhooks'],
        summary: 'A payment request has a new status',
        description:
          'Sent by the service. Verify the signature, store, answer at once, and do the work afterwards: duplicates ' +
          'occur and no order is promised.',
        security: [],
        parameters: [
          header(
            'webhook-id',
            'The event’s id, the same at every attempt.',
            '0193b2f4-8be1-7c10-a4f2-3e2d1c0b9a53',
          ),
          header('webhook-timestamp', 'Unix seconds of the attempt.', '1795248000'),
          header('webhook-signature', 'Standard Webhooks: one or two, separated by a space.', 'v1,g0hM…'),
          header('X-Request-Timestamp', 'The same seconds.', '1795248000'),
          header('X-Request-Signature', 'HMAC-SHA256 in hexadecimal, of time and canonical body.', '5d41…'),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: schemaRef('PaymentRequestNotification'),
              example: EXAMPLE,
            },
          },
        },
        responses: {
          200: { description: 'Acknowledged. It must be there within 2 seconds.' },
          '4XX': { description: 'Not taken: sent again later.' },
          '5XX': { description: 'Not taken: sent again later.' },
        },
      },
    },
  },
};
