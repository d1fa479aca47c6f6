package claims.elsewhere;

import claims.Figures;

/** Is round, and a surface. */
public class Disc extends Figures.Figure implements Figures.Surface {
    private int area;

    @Override
    public boolean isRound() {
        return true;
    }

    @Override
    public int area() {
        return area;
    }
}
