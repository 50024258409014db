// Jest's setup of every test file: classes log through NestJS, and a test that checks log lines sets its own logger.
import { Logger } from '@nestjs/common';

Logger.overrideLogger(false);
