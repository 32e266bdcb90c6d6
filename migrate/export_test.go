package migrate

// Pathless are the definer functions that set no search_path.
var Pathless = pathless

// Tenant are the tables with a business.
const Tenant = tenant
