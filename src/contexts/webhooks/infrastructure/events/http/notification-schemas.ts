import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { NOTIFICATIONS } from '#contexts/webhooks/application/events/notifications.js';

/** The schemas of the bodies of events. Nest's reference knows a schema by a class. */
export const NOTIFICATION_SCHEMAS: readonly Type[] = Object.values(NOTIFICATIONS).map(
  ({ schema, fields }) => {
    const properties = Object.entries(fields).map(([name, [property]]) => [name, property]);
    const notice = schemaClass(`${schema}Notice`, Object.fromEntries(properties));
    return schemaClass(`${schema}Notification`, { data: { type: notice } });
  },
);

function schemaClass(name: string, properties: Record<string, ApiPropertyOptions>): Type {
  const schema = class {};
  Object.defineProperty(schema, 'name', { value: name });
  for (const [property, options] of Object.entries(properties))
    ApiProperty(options)(schema.prototype, property);
  return schema;
}
