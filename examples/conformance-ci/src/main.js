/** Starts the service: `npm start`. PORT and DATABASE_FILE change where it listens and where it keeps its data. */
import { createApp } from './app.js';
import { openDatabase } from './database.js';

const { PORT = '4020', DATABASE_FILE = 'data/service.db' } = process.env;

const database = openDatabase(DATABASE_FILE);
const app = createApp(database);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close());
app.addHook('onClose', () => database.close());
console.log(`listening on ${await app.listen({ host: '127.0.0.1', port: Number(PORT) })}/v0.1`);
