import { redirect } from '@remix-run/node';

export const loader = ({ request }: { request: Request }) => redirect(`/app${new URL(request.url).search}`);
