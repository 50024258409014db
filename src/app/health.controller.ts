import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Database } from '../shared/platform/database/database.js';
import { Public, RawAnswer } from '../shared/platform/http/callers/route-markers.js';

@ApiTags('Operation')
@Controller('health')
export class HealthController {
  constructor(private readonly database: Database) {}

  @Get()
  @Public()
  @RawAnswer()
  @ApiOperation({ summary: 'Health', description: 'Answers 200 while this process can reach its database.' })
  @ApiOkResponse({
    description: 'Ready to serve. Outside the envelope.',
    schema: {
      type: 'object',
      properties: { status: { type: 'string', enum: ['ok'] } },
      example: { status: 'ok' },
    },
  })
  async health(): Promise<{ status: 'ok' }> {
    await this.database.query('SELECT 1');
    return { status: 'ok' };
  }
}
