import { DropZone } from './kit/components.ts';

/** Lets the merchant choose a CSV file or drop it on the page. */
export const CsvDropZone = ({
  label,
  action,
  hint,
  onFile,
}: {
  readonly label: string;
  readonly action: string;
  /** Text below the button, such as the name of the chosen file. */
  readonly hint: string;
  readonly onFile: (file: File) => void;
}) => (
  <DropZone
    label={label}
    accept=".csv,.tsv,.txt,text/csv"
    allowMultiple={false}
    variableHeight
    // Accept any file type, because the app shows an error if it can't read the file.
    onDrop={([file]) => file && onFile(file)}
  >
    <DropZone.FileUpload actionTitle={action} actionHint={hint} />
  </DropZone>
);
