import { ApiProperty } from '@nestjs/swagger';
import type { ReadingShown } from '#contexts/payments/application/explanation/explanation-view.js';

/** How far this service has read a network. */
export class NetworkReadingDto {
  @ApiProperty({ example: 'erc20' })
  network!: string;

  @ApiProperty({
    required: false,
    type: 'integer',
    description: 'The newest block that was read; absent where none was.',
  })
  read_to_block?: number;

  @ApiProperty({ required: false, format: 'date-time', description: 'That block’s timestamp.' })
  read_to_time?: string;

  @ApiProperty({
    required: false,
    type: 'integer',
    description: 'The newest block that can no longer disappear.',
  })
  final_block?: number;

  @ApiProperty({ required: false, format: 'date-time', description: 'That block’s timestamp.' })
  final_time?: string;

  @ApiProperty({
    required: false,
    type: 'integer',
    minimum: 0,
    description: 'How old the newest block read is, in seconds.',
  })
  behind_seconds?: number;

  @ApiProperty({
    description: 'It is not read at present, or is so far behind that it takes no new requests.',
  })
  is_behind!: boolean;

  @ApiProperty({
    required: false,
    format: 'date-time',
    description:
      'Since when two sources of the network have told different things; nothing becomes final meanwhile.',
  })
  disagrees_since?: string;
}

export function presentReading({ network, read, ...reading }: ReadingShown): NetworkReadingDto {
  return {
    network,
    read_to_block: read?.toBlock,
    read_to_time: read?.toTime.toISOString(),
    final_block: read?.final?.block,
    final_time: read?.final?.time.toISOString(),
    behind_seconds: reading.behindSeconds,
    is_behind: reading.isBehind,
    disagrees_since: read?.disagreesSince?.toISOString(),
  };
}
