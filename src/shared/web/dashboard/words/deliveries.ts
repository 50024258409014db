import type { Translations } from '../../messages/languages.js';

export const DELIVERY_WORDS = {
  'Delivery log': ['Registro de entregas', 'Registro de entregas'],
  'Attempts, newest first': ['Intentos, primero los más recientes', 'Tentativas, primeiro as mais recentes'],
  'No attempts match these filters.': [
    'Ningún intento coincide con estos filtros.',
    'Nenhuma tentativa corresponde a estes filtros.',
  ],
  'Show all attempts': ['Mostrar todos los intentos', 'Mostrar todas as tentativas'],
  'No deliveries yet.': ['Todavía no hay entregas.', 'Ainda não há entregas.'],
  'Deliveries and tests appear here with their responses.': [
    'Las entregas y pruebas aparecen aquí con su respuesta.',
    'As entregas e os testes aparecem aqui com a resposta.',
  ],
  Event: ['Evento', 'Evento'],
  Attempt: ['Intento', 'Tentativa'],
  'Delivery status': ['Estado de la entrega', 'Status da entrega'],
  Response: ['Respuesta', 'Resposta'],
  'Next attempt': ['Próximo intento', 'Próxima tentativa'],
  Resend: ['Reenviar', 'Reenviar'],
  Test: ['Prueba', 'Teste'],
  'Payment {id}': ['Pago {id}', 'Pagamento {id}'],
  'webhook-id {id}': ['webhook-id {id}', 'webhook-id {id}'],
  'HTTP {status}.': ['HTTP {status}.', 'HTTP {status}.'],
  '{count} ms': ['{count} ms', '{count} ms'],
  'Not sent: the webhook was inactive': [
    'No enviado: el webhook estaba inactivo',
    'Não enviado: o webhook estava inativo',
  ],
  'Not sent: the secret could not be decrypted': [
    'No enviado: no se pudo descifrar el secreto',
    'Não enviado: não foi possível decifrar o segredo',
  ],
  'The host name could not be resolved': [
    'No se pudo resolver el nombre de host',
    'Não foi possível resolver o nome do host',
  ],
  'The host is not on the public internet': [
    'El host no está en la internet pública',
    'O host não está na internet pública',
  ],
  'Connection refused': ['Conexión rechazada', 'Conexão recusada'],
  'The connection was lost': ['Se perdió la conexión', 'A conexão foi perdida'],
  'TLS failed: check the certificate': [
    'Falló TLS: revisa el certificado',
    'O TLS falhou: verifique o certificado',
  ],
  'No complete response within 2 seconds': [
    'Sin respuesta completa en 2 segundos',
    'Sem resposta completa em 2 segundos',
  ],
  'The response was larger than 20 kB': ['La respuesta superaba los 20 kB', 'A resposta tinha mais de 20 kB'],
  'The response was not HTTP': ['La respuesta no era HTTP', 'A resposta não era HTTP'],
  'Only HTTP 200 acknowledges a delivery': [
    'Solo HTTP 200 confirma la entrega',
    'Só HTTP 200 confirma a entrega',
  ],
  'Resends all events of a period to {url}, whether delivered or not. Events of the same payment are sent in order.':
    [
      'Reenvía a {url} todos los eventos de un periodo, entregados o no. Los de un mismo pago se envían en orden.',
      'Reenvia para {url} todos os eventos de um período, entregues ou não. Os de um mesmo pagamento são enviados em ordem.',
    ],
  '{count} event in this period would be resent.|{count} events in this period would be resent.': [
    'Se reenviaría {count} evento de este periodo.|Se reenviarían {count} eventos de este periodo.',
    'Seria reenviado {count} evento deste período.|Seriam reenviados {count} eventos deste período.',
  ],
  'Not included. At least one minute ago.': [
    'No incluido. Hace un minuto como mínimo.',
    'Não incluído. Pelo menos um minuto atrás.',
  ],
  'Count events': ['Contar eventos', 'Contar eventos'],
} as const satisfies Translations;
