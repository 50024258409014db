import type { OpenAPIObject } from '@nestjs/swagger';
import { jsonSchemaOf } from '#shared/platform/http/openapi/json-schema.js';

const DESCRIPTION =
  'Body of an event, as it is sent to webhooks and as `GET /v1/events` returns it in the string `body`. ' +
  '`data.notification_type` identifies the type of the event. New fields, values and events can be added ' +
  'at any time; ignore ' +
  'those you do not know.';

interface Component {
  properties?: Record<string, { 'x-json-schemas'?: { $ref: string }[] }>;
}

/** The schema of each event's body, for validators: the very schemas that `Event.body` of the reference names. */
export function describeEvents(document: OpenAPIObject): object {
  const event = document.components?.schemas?.['Event'] as Component | undefined;
  const bodies = event?.properties?.['body']?.['x-json-schemas'] ?? [];
  if (bodies.length === 0) throw new Error('The API reference contains no schemas for event bodies.');
  return jsonSchemaOf(document, {
    title: 'Events of the Payment Collection Service',
    description: DESCRIPTION,
    oneOf: bodies.map(({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1)),
  });
}
