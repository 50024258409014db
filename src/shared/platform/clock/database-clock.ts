import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Database } from '../database/database.js';

@Injectable()
export class DatabaseClock extends Clock {
  constructor(private readonly database: Database) {
    super();
  }

  async now(): Promise<Date> {
    const [row] = await this.database.query<{ now: Date }>('SELECT platform.now() AS now');
    return row!.now;
  }
}
