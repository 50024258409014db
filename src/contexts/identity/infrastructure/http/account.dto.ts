import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Account } from '../../domain/account.js';

export class AccountAnswer {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiPropertyOptional({ description: 'The merchant’s own id; absent when there is none.' })
  external_id?: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: string;
}

export function presentAccount(account: Account): AccountAnswer {
  return {
    id: account.id,
    ...(account.externalId === null ? {} : { external_id: account.externalId }),
    name: account.name,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}
