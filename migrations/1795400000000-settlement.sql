-- What delivers collected money and refunds it.
CREATE SCHEMA settlement;
