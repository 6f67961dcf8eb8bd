import {
  MAX_REGISTRY_REQUEST_BYTES,
  REGISTRY_LIMITS,
  registryRequest,
  registryResponse,
} from '@compliance/contract/efiling';
import { importTable, REGISTRY_COLUMNS } from '@compliance/core/entry';
import { parse } from 'csv-parse';
import { ApiError } from '../errors/api-error.ts';
import { defineOperation } from './operation.ts';

/** Returns a file with one product. */
function sampleFile(): string {
  const row = {
    'Product Name (Model)': 'Road Bicycle Helmet',
    'Manufacture Date': '09/2026',
    'Lab 1 Name': 'Pacific Test Laboratories',
    'Lab 1 Citation Codes': 'T1203',
  };
  return [REGISTRY_COLUMNS, REGISTRY_COLUMNS.map(column => (row as Record<string, string>)[column] ?? '')]
    .map(cells => cells.join(','))
    .join('\r\n');
}

export default defineOperation({
  id: 'entry.registry.read',
  method: 'post',
  path: '/api/v1/entry/registry/read',
  scope: 'entry',
  clientArguments: 'request',
  maxBodyBytes: MAX_REGISTRY_REQUEST_BYTES,
  summary: 'Read a Product Registry file',
  description:
    "Returns a certificate request for each row of a CSV file for CPSC's Product Registry, such as a file that `entry.gcc.efiling` " +
    "exported. Nothing is issued or stored. If a request can't be created from a row, `request` is null, and `problems` lists " +
    'the reasons. `dropped` lists the values that a request omits or represents differently. Columns that ' +
    "aren't in the known CSV format are listed once for the file.",
  request: registryRequest,
  response: registryResponse,
  examples: [
    {
      name: 'a file with one product',
      request: {
        csv: sampleFile(),
        codes: { as_of: '2026-11-20', source: 'Our list', codes: { '16 CFR 1203': 'T1203' } },
      },
    },
  ],
  async handler({ csv, codes }) {
    const parser = parse(csv, { bom: true, info: true, relax_column_count: true });
    try {
      const { rows, unknown_columns } = await importTable(parser, codes, REGISTRY_LIMITS);
      return {
        rows: rows.map(({ problems, dropped, assumed, ...row }) => ({
          ...row,
          ...{ problems: [...problems], dropped: [...dropped], assumed: [...assumed] },
        })),
        unknown_columns: [...unknown_columns],
      };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const message = `The file ${error.message}.`;
      throw new ApiError('invalid_request', { detail: { issues: [{ path: 'csv', code: 'INVALID_VALUE', message }] } });
    }
  },
});
