import type { ApiOperationOptions } from '@nestjs/swagger';
import { schemaRef } from '#shared/platform/http/openapi/schema-names.js';

const headerParameter = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
  example,
});

const EXAMPLE_BODY = {
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

export const DELIVERY_OPENAPI_CALLBACK: NonNullable<ApiOperationOptions['callbacks']> = {
  paymentRequest: {
    '{$request.body#/url}': {
      post: {
        operationId: 'receivePaymentRequest',
        tags: ['Webhooks'],
        summary: 'Receive a status change of a payment request',
        description:
          'The service sends this request to your webhook URL. Verify the signature, store the event, respond with ' +
          'HTTP 200 within 2 seconds, and process the event afterwards. Deliveries can be duplicated and are not ' +
          'ordered.',
        security: [],
        parameters: [
          headerParameter(
            'webhook-id',
            'Id of the event, the same in every attempt. For a test delivery, the id of the delivery.',
            '0193b2f4-8be1-7c10-a4f2-3e2d1c0b9a53',
          ),
          headerParameter('webhook-timestamp', 'Time of the attempt, in Unix seconds.', '1795248000'),
          headerParameter(
            'webhook-signature',
            'Signature as defined by Standard Webhooks. During a secret overlap, two signatures separated by a space.',
            'v1,g0hM…',
          ),
          headerParameter(
            'X-Request-Timestamp',
            'Time of the attempt, in Unix seconds: the same value as `webhook-timestamp`.',
            '1795248000',
          ),
          headerParameter(
            'X-Request-Signature',
            'Lowercase hexadecimal HMAC-SHA256 of `X-Request-Timestamp`, a dot and the body as canonical JSON.',
            '5d41…',
          ),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: schemaRef('PaymentRequestNotification'),
              example: EXAMPLE_BODY,
            },
          },
        },
        responses: {
          200: { description: 'Acknowledged. The complete response must arrive within 2 seconds.' },
          '4XX': { description: 'Not acknowledged. The service retries the delivery later.' },
          '5XX': { description: 'Not acknowledged. The service retries the delivery later.' },
        },
      },
    },
  },
};
