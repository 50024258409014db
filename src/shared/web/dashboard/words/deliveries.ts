import type { Translations } from './translation.js';

/** The log of what was sent to webhooks, and sending again. */
export const DELIVERY_WORDS = {
  'Delivery log': ['Registro de entregas', 'Registro de entregas'],
  'Attempts, newest first': ['Intentos, primero los más recientes', 'Tentativas, primeiro as mais recentes'],
  'No attempt matches these filters.': [
    'Ningún intento coincide con estos filtros.',
    'Nenhuma tentativa combina com estes filtros.',
  ],
  'Show all attempts': ['Mostrar todos los intentos', 'Mostrar todas as tentativas'],
  'Nothing has been sent to this webhook yet.': [
    'Todavía no se ha enviado nada a este webhook.',
    'Ainda não foi enviado nada a este webhook.',
  ],
  'What is sent, a test too, stands here with its answer.': [
    'Lo que se envía, también una prueba, aparece aquí con su respuesta.',
    'O que é enviado, também um teste, aparece aqui com sua resposta.',
  ],
  Sent: ['Enviado', 'Enviado'],
  Attempt: ['Intento', 'Tentativa'],
  Delivery: ['Entrega', 'Entrega'],
  Answer: ['Respuesta', 'Resposta'],
  'Next attempt': ['Próximo intento', 'Próxima tentativa'],
  Again: ['De nuevo', 'De novo'],
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
  'Not sent: its secret could not be opened': [
    'No enviado: no se pudo abrir su secreto',
    'Não enviado: não foi possível abrir seu segredo',
  ],
  'The host name leads nowhere': [
    'El nombre de host no lleva a ninguna parte',
    'O nome do host não leva a lugar nenhum',
  ],
  'The host is not on the public internet': [
    'El host no está en la internet pública',
    'O host não está na internet pública',
  ],
  'Connection refused': ['Conexión rechazada', 'Conexão recusada'],
  'The connection broke': ['La conexión se cortó', 'A conexão caiu'],
  'TLS failed: check the certificate': [
    'TLS falló: revisar el certificado',
    'TLS falhou: verifique o certificado',
  ],
  'No complete answer within 2 seconds': [
    'Sin respuesta completa en 2 segundos',
    'Sem resposta completa em 2 segundos',
  ],
  'The answer was larger than 20 kB': ['La respuesta superaba los 20 kB', 'A resposta tinha mais de 20 kB'],
  'The answer was not HTTP': ['La respuesta no era HTTP', 'A resposta não era HTTP'],
  'Only HTTP 200 acknowledges': ['Solo HTTP 200 confirma la entrega', 'Só HTTP 200 confirma a entrega'],
  'All events of a time are sent again to {url}, delivered or not, those of one payment one after another in their order.':
    [
      'Todos los eventos de un periodo se envían de nuevo a {url}, entregados o no, los de un mismo pago uno tras otro en su orden.',
      'Todos os eventos de um período são enviados de novo a {url}, entregues ou não, os de um mesmo pagamento um após o outro, na sua ordem.',
    ],
  '{count} event of this time would be sent.|{count} events of this time would be sent.': [
    'Se enviaría {count} evento de este periodo.|Se enviarían {count} eventos de este periodo.',
    'Seria enviado {count} evento deste período.|Seriam enviados {count} eventos deste período.',
  ],
  'With Z for UTC, or an offset: 2030-01-31T12:00:00Z.': [
    'Con Z para UTC, o un desfase: 2030-01-31T12:00:00Z.',
    'Com Z para UTC, ou um deslocamento: 2030-01-31T12:00:00Z.',
  ],
  'Until before': ['Hasta antes de', 'Até antes de'],
  'A minute ago at the latest.': ['Como muy tarde, hace un minuto.', 'No mais tardar, há um minuto.'],
  'Count them': ['Contarlos', 'Contar'],
  Replay: ['Repetir', 'Repetir'],
} as const satisfies Translations;
